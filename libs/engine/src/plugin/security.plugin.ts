import { type BaseTool } from '../tool/base-tool';
import { BasePlugin, type HookAnswer, type ToolHookParams } from './base-plugin';

export const PolicyOutcome = { ALLOW: 'ALLOW', CONFIRM: 'CONFIRM', DENY: 'DENY' } as const;
export type PolicyOutcome = (typeof PolicyOutcome)[keyof typeof PolicyOutcome];

export interface ToolCallPolicyContext {
  readonly tool: BaseTool;
  readonly toolArgs: Record<string, unknown>;
}

export interface PolicyCheckResult {
  /** One of `PolicyOutcome`; a call for which it is anything else is denied. */
  readonly outcome: string;
  readonly reason?: string;
}

/** Decides of each call whether it may run. What it throws fails the run, and the call does not run. */
export interface BasePolicyEngine {
  evaluate(context: ToolCallPolicyContext): Promise<PolicyCheckResult>;
}

/** Allows every call: for trying out. */
export class InMemoryPolicyEngine implements BasePolicyEngine {
  async evaluate(_context: ToolCallPolicyContext): Promise<PolicyCheckResult> {
    return { outcome: PolicyOutcome.ALLOW, reason: 'This policy allows every call.' };
  }
}

/** State that says of a call that the policy had a human asked about it: `CONFIRM` until he answered. */
const ASKED = 'security_plugin:';

/**
 * Has a policy decide of every tool call of an app: it runs, it is refused, or a human has to allow it first. His yes
 * counts for the tool's own `requireConfirmation` too.
 */
export class SecurityPlugin extends BasePlugin {
  readonly #policyEngine: BasePolicyEngine;

  constructor({ policyEngine = new InMemoryPolicyEngine() }: { policyEngine?: BasePolicyEngine } = {}) {
    super('security_plugin');
    this.#policyEngine = policyEngine;
  }

  override async beforeToolCallback({
    tool,
    toolArgs,
    toolContext,
  }: ToolHookParams): HookAnswer<'beforeToolCallback'> {
    const { toolConfirmation, functionCallId = '', state, actions } = toolContext;
    // A key for each call: calls of one round change the state side by side.
    const key = ASKED + functionCallId;
    const wasAsked = state.get(key) === PolicyOutcome.CONFIRM;
    if (toolConfirmation && wasAsked) {
      // It counts once: models give a later call the same id.
      state.set(key, toolConfirmation.confirmed ? PolicyOutcome.ALLOW : PolicyOutcome.DENY);
      return toolConfirmation.confirmed ? undefined : { error: 'A human refused this tool call.' };
    }
    const { outcome, reason = 'none was given' } = await this.#policyEngine.evaluate({ tool, toolArgs });
    if (wasAsked) state.set(key, outcome);
    if (outcome === PolicyOutcome.ALLOW) return undefined;
    if (outcome !== PolicyOutcome.CONFIRM)
      return { error: `The policy refuses this tool call. Reason: ${reason}` };
    state.set(key, outcome);
    toolContext.requestConfirmation({
      hint: `The policy asks for a confirmation of ${tool.name}. Reason: ${reason}`,
    });
    // The user is asked next, so nothing has to be put into words before.
    actions.skipSummarization = true;
    return { error: 'This tool call waits for a human to allow it.' };
  }
}
