import {
  type BasePolicyEngine,
  FunctionTool,
  LlmAgent,
  type PolicyCheckResult,
  PolicyOutcome,
  SecurityPlugin,
  type ToolCallPolicyContext,
} from '@google/adk';
import { z } from 'zod';

class ByAmount implements BasePolicyEngine {
  async evaluate({ toolArgs }: ToolCallPolicyContext): Promise<PolicyCheckResult> {
    const amount = Number(toolArgs.amount);
    if (amount < 100) return { outcome: PolicyOutcome.ALLOW };
    return {
      outcome: amount < 1000 ? PolicyOutcome.CONFIRM : PolicyOutcome.DENY,
      reason: `It is ${amount}.`,
    };
  }
}

const pay = new FunctionTool({
  name: 'pay',
  description: 'Pays.',
  parameters: z.object({ amount: z.number() }),
  execute: ({ amount }) => ({ paid: amount }),
});

export const rootAgent = new LlmAgent({
  name: 'clerk',
  model: 'scripted-clerk',
  instruction: 'Pay.',
  tools: [pay],
});
export const plugins = [new SecurityPlugin({ policyEngine: new ByAmount() })];
