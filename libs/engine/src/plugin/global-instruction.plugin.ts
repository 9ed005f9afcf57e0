import { type Context } from '../agent/context';
import { ReadonlyContext } from '../agent/readonly-context';
import { type Instruction } from '../agent/llm-agent-config';
import { fillTemplate } from '../flow/fill-template';
import { BasePlugin, type HookAnswer, type ModelHookParams } from './base-plugin';

/** Opens the system instruction of every model request of an app with the same words (B59). */
export class GlobalInstructionPlugin extends BasePlugin {
  /** A text has its `{variables}` filled from state; what a provider answers is taken as it is. */
  constructor(
    private readonly globalInstruction: Instruction = '',
    name = 'global_instruction',
  ) {
    super(name);
  }

  override async beforeModelCallback({
    callbackContext,
    llmRequest,
  }: ModelHookParams): HookAnswer<'beforeModelCallback'> {
    const instruction = await this.#resolve(callbackContext);
    const { systemInstruction } = llmRequest.config;
    const pieces = [instruction, systemInstruction].filter((piece) => piece);
    if (pieces.length > 0) llmRequest.config.systemInstruction = pieces.join('\n\n');
    return undefined;
  }

  async #resolve({ contextScope }: Context): Promise<string> {
    return typeof this.globalInstruction === 'string'
      ? fillTemplate(this.globalInstruction, contextScope)
      : this.globalInstruction(new ReadonlyContext(contextScope));
  }
}
