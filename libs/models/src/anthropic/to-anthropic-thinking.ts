import type { MessageParam, OutputConfig, ThinkingConfigParam } from '@anthropic-ai/sdk/resources/messages';
import { type ThinkingConfig } from './anthropic-config';

export interface AnthropicThinking {
  readonly thinking?: ThinkingConfigParam | undefined;
  readonly effort?: NonNullable<OutputConfig['effort']>;
  /** What thinking may take of the tokens of an answer, which it counts towards. */
  readonly budget: number;
}

const BUDGETS: Readonly<Record<string, number>> = { MINIMAL: 1_024, LOW: 2_048, MEDIUM: 8_192, HIGH: 16_384 };
const OWN_CHOICE = 8_192;
export const LEAST_BUDGET = 1_024;

/**
 * How much Claude is to think. Models before 4.6 take a budget in tokens; later ones refuse it and take an effort, which
 * stands for the budget here.
 */
export function toAnthropicThinking(config: ThinkingConfig | undefined, model: string): AnthropicThinking {
  const { includeThoughts, thinkingBudget, thinkingLevel } = config ?? {};
  if (thinkingBudget === 0) return { thinking: { type: 'disabled' }, budget: 0 };
  const asked =
    thinkingBudget === undefined || thinkingBudget < 0
      ? BUDGETS[thinkingLevel?.toUpperCase() ?? '']
      : thinkingBudget;
  if (asked === undefined && thinkingBudget === undefined && !includeThoughts) return { budget: 0 };

  const budget = Math.max(asked ?? OWN_CHOICE, LEAST_BUDGET);
  const display =
    includeThoughts === undefined ? {} : ({ display: includeThoughts ? 'summarized' : 'omitted' } as const);
  if (takesBudget(model)) return { thinking: { type: 'enabled', budget_tokens: budget, ...display }, budget };
  return {
    thinking: { type: 'adaptive', ...display },
    ...(asked === undefined ? {} : { effort: effortOf(budget) }),
    budget,
  };
}

/** By the vendor's table of models: `claude-3-7-sonnet-…`, `claude-opus-4-20250514`, `claude-sonnet-4-5`. */
function takesBudget(model: string): boolean {
  const named = /^claude-(?:[a-z]+-)?(\d)(?:[-.](\d)(?!\d))?/.exec(model);
  const [major, minor] = [Number(named?.[1]), Number(named?.[2] ?? 0)];
  return major < 4 || (major === 4 && minor < 6);
}

function effortOf(budget: number): 'low' | 'medium' | 'high' {
  if (budget <= 2_048) return 'low';
  return budget <= 8_192 ? 'medium' : 'high';
}

/**
 * Whether the model is in the middle of calls that it began without thinking, as where another model made them: a budget
 * is refused until it has answered.
 */
export function isAmidCallsWithoutThinking(messages: readonly MessageParam[]): boolean {
  const [before, last] = messages.slice(-2).map(({ content }) => content[0]);
  if (typeof last !== 'object' || last.type !== 'tool_result') return false;
  return typeof before !== 'object' || !['thinking', 'redacted_thinking'].includes(before.type);
}
