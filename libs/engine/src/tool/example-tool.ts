import { type ContentLike, type FunctionCall } from '@skein/contracts';
import { type Context } from '../agent/context';
import { appendInstructions, type LlmRequest } from '../model/llm-request';
import { BaseTool, type RunToolRequest } from './base-tool';

/** A question of a user and how it is answered, calls of tools among it. */
export interface Example {
  input: ContentLike;
  output: ContentLike[];
}

const MARKER: unique symbol = Symbol.for('skein.BaseExampleProvider');

/** Whether a value gives examples, also when it came from another copy of this package. */
export function isBaseExampleProvider(value: unknown): value is BaseExampleProvider {
  return typeof value === 'object' && value !== null && MARKER in value;
}

/** Gives the examples that fit what the user says. */
export abstract class BaseExampleProvider {
  readonly [MARKER] = true;

  /** Asked for each model request with the first text of the user's message. */
  abstract getExamples(query: string): Example[];
}

/** Shows the model how such questions are answered, in its instruction. No model calls it. */
export class ExampleTool extends BaseTool {
  constructor(readonly examples: Example[] | BaseExampleProvider) {
    super({ name: 'example_tool', description: 'Shows examples.', placement: 'inline' });
  }

  override getDeclaration(): undefined {
    return undefined;
  }

  override async runAsync(_request: RunToolRequest): Promise<unknown> {
    throw new Error('example_tool cannot be called.');
  }

  override async processLlmRequest({
    toolContext,
    llmRequest,
  }: {
    readonly toolContext: Context;
    readonly llmRequest: LlmRequest;
  }): Promise<void> {
    const query = toolContext.userContent?.parts?.[0]?.text;
    if (!query) return;
    const examples = isBaseExampleProvider(this.examples) ? this.examples.getExamples(query) : this.examples;
    if (examples.length > 0) appendInstructions(llmRequest, [inWords(examples)]);
  }
}

function inWords(examples: readonly Example[]): string {
  const told = examples.map(({ input, output }, index) => {
    const question = (input.parts ?? []).flatMap(({ text }) => (text ? [text] : []));
    return [`EXAMPLE ${index + 1}:`, '[user]', ...question, ...output.flatMap(linesOf), ''].join('\n');
  });
  const intro = 'Questions of users, and how they are answered with the tools there are:';
  return ['<EXAMPLES>', intro, '', ...told, '</EXAMPLES>'].join('\n');
}

/** The speaker is named where he is another than before. */
function linesOf(content: ContentLike, index: number, all: readonly ContentLike[]): string[] {
  const isNew = index === 0 || speakerOf(all[index - 1]) !== speakerOf(content);
  return [...(isNew ? [speakerOf(content)] : []), ...(content.parts ?? []).flatMap(linesOfPart)];
}

function speakerOf(content: ContentLike | undefined): string {
  return content?.role === 'model' ? '[model]' : '[user]';
}

function linesOfPart({
  text,
  functionCall,
  functionResponse,
}: NonNullable<ContentLike['parts']>[number]): string[] {
  if (functionCall) {
    // google-genai's, of which no field has to be there.
    const { name = '', args: given = {} } = functionCall as Partial<FunctionCall>;
    const args = Object.entries(given).map(([name, value]) => `${name}=${asArgument(value)}`);
    return ['```tool_code', `${name}(${args.join(', ')})`, '```'];
  }
  if (functionResponse) return ['```tool_outputs', JSON.stringify(functionResponse), '```'];
  return text ? [text] : [];
}

function asArgument(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}
