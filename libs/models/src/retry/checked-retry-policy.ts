import { badSetting } from '../registry/bad-setting';
import { DEFAULT_RETRY_POLICY, type RetryPolicy } from './retry-policy';

/** The longest that a timer takes, about 24 days; a longer one would be over at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** What each setting has to be, in words and as a test of it. */
const RULES: Readonly<Record<keyof RetryPolicy, Rule>> = {
  maxAttempts: ['a whole number from 1', (value) => Number.isSafeInteger(value) && value >= 1],
  firstDelayMs: [`from 0 to ${MAX_TIMER_MS}`, (value) => value >= 0 && value <= MAX_TIMER_MS],
  maxWaitMs: [`from 0 to ${MAX_TIMER_MS}`, (value) => value >= 0 && value <= MAX_TIMER_MS],
  connectTimeoutMs: [`above 0, up to ${MAX_TIMER_MS}`, (value) => value > 0 && value <= MAX_TIMER_MS],
  idleTimeoutMs: [`above 0, up to ${MAX_TIMER_MS}`, (value) => value > 0 && value <= MAX_TIMER_MS],
  totalTimeoutMs: [`above 0, up to ${MAX_TIMER_MS}`, (value) => value > 0 && value <= MAX_TIMER_MS],
};

type Rule = readonly [has: string, isKept: (value: number) => boolean];

/** What was left out, or given as undefined, is as by default. Throws `model.bad-setting` for what makes no sense. */
export function checkedRetryPolicy(model: string, given: Partial<RetryPolicy>): RetryPolicy {
  const names = Object.keys(RULES) as (keyof RetryPolicy)[];
  const settings = names.map((name) => [name, given[name] ?? DEFAULT_RETRY_POLICY[name]] as const);
  for (const [name, value] of settings) {
    const [has, isKept] = RULES[name];
    if (typeof value === 'number' && isKept(value)) continue;
    throw badSetting(model, name, `${has}, and is ${String(value)}`);
  }
  // Every setting has a rule.
  return Object.fromEntries(settings) as unknown as RetryPolicy;
}
