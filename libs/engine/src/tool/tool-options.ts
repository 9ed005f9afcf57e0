import { AdkError, poolNameSchema, type ToolPolicy, toolPrioritySchema } from '@skein/contracts';
import { z } from 'zod';
import { unknownOptions } from './unknown-options';

/**
 * What a tool may do beside answering. `stateDelta` is state of the session; that of its user, of the app and of the
 * invocation are said each by its prefix.
 */
export type ToolAction =
  | 'skipSummarization'
  | 'transferToAgent'
  | 'escalate'
  | 'requestedAuthConfigs'
  | 'requestedToolConfirmations'
  | 'stateDelta'
  | 'user:'
  | 'app:'
  | 'temp:'
  | 'artifactDelta';

/** Whether a call is tried again after the tool threw or took too long, and how soon. */
export interface ToolRetry {
  /** Starts of one call in all, those that a dying worker left included. */
  readonly maxAttempts?: number;
  /** Before the second attempt; doubled before each one after it, with jitter. */
  readonly backoffMs?: number;
  readonly maxBackoffMs?: number;
  /** Whether this failure is worth another attempt; every one when left out. Asked in the worker. */
  readonly retryOn?: (error: unknown) => boolean;
}

/** Where and how a tool runs; every field has a default. */
export interface ToolOptions {
  /** Which workers run it: those that serve this pool. Letters, digits and `-`. */
  readonly pool?: string;
  /** Bound of one execution, in milliseconds. */
  readonly timeoutMs?: number;
  /** How long a call may wait for a worker to begin it. */
  readonly scheduleToStartTimeoutMs?: number;
  /** How long an execution may be silent: neither `ctx.heartbeat()` nor `ctx.progress()`. */
  readonly heartbeatTimeoutMs?: number;
  /** Given, what the tool throws is tried again; without it only what a lost worker left is. */
  readonly retry?: ToolRetry;
  /** `once`: an attempt whose outcome is unknown is not repeated. */
  readonly sideEffect?: ToolPolicy['sideEffect'];
  /**
   * It changes nothing anywhere, as a `GET` does: its call leaves for a worker while it is stored, not after that. Where it
   * is not stored in the end, the tool has run for nobody. `false` when left out.
   */
  readonly readOnly?: boolean;
  /** How many calls of it run at the same time, in all workers together. */
  readonly maxConcurrency?: number;
  /** How many calls of it begin in a time, in all workers together. */
  readonly rateLimit?: { readonly calls: number; readonly perMs: number };
  /** Which of the calls that wait in the database for their turn in a pool go first. */
  readonly priority?: ToolPolicy['priority'];
  /** `inline` runs it in the runner: for control tools and pure, fast functions. */
  readonly placement?: 'worker' | 'inline';
  /** Where in the worker it runs: beside the others, or in a thread or process that can be ended; `TOOL_ISOLATION` without it. */
  readonly isolation?: 'inline' | 'thread' | 'process';
  /** What a tool in a thread or a process may take, 16 MiB at least; beyond it its own call fails. */
  readonly memoryLimitBytes?: number;
  /** What it does beside answering: nothing else is applied. Left out, it may do all that ADK's tools may. */
  readonly actions?: readonly ToolAction[];
}

/** The options as they hold. */
export interface CheckedToolOptions {
  readonly pool: string;
  readonly placement: 'worker' | 'inline';
  /** Undefined where the author leaves it to the worker. */
  readonly isolation: ToolOptions['isolation'];
  readonly memoryLimitBytes: number | undefined;
  readonly retryOn: ((error: unknown) => boolean) | undefined;
  readonly actions: readonly ToolAction[] | undefined;
  readonly policy: ToolPolicy;
}

/** The longest that a timer takes, about 24 days; a longer one would be over at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
const durationMs = count(MAX_TIMER_MS).optional();

const retrySchema = z.object({
  maxAttempts: count(1_000).default(5),
  backoffMs: durationMs,
  maxBackoffMs: durationMs,
  retryOn: z
    .custom<(error: unknown) => boolean>((value) => typeof value === 'function', 'must be a function')
    .default(() => () => true),
});

/** What a process grows by when it does nothing is less. */
const MIN_MEMORY_BYTES = 16 * 2 ** 20;

const rateLimitSchema = z.object({ calls: count(1_000_000_000), perMs: count(MAX_TIMER_MS) });

const fieldsSchema = z.object({
  pool: poolNameSchema.default('default'),
  timeoutMs: durationMs.default(60_000),
  scheduleToStartTimeoutMs: durationMs,
  heartbeatTimeoutMs: durationMs,
  retry: retrySchema.optional(),
  sideEffect: z.enum(['idempotent', 'once']).default('idempotent'),
  readOnly: z.boolean().optional(),
  maxConcurrency: count(1_000_000).optional(),
  rateLimit: rateLimitSchema.optional(),
  priority: toolPrioritySchema.optional(),
  placement: z.enum(['worker', 'inline']).default('worker'),
  isolation: z.enum(['inline', 'thread', 'process']).optional(),
  memoryLimitBytes: count(Number.MAX_SAFE_INTEGER, MIN_MEMORY_BYTES).optional(),
  actions: z
    .array(
      z.enum([
        'skipSummarization',
        'transferToAgent',
        'escalate',
        'requestedAuthConfigs',
        'requestedToolConfirmations',
        'stateDelta',
        'user:',
        'app:',
        'temp:',
        'artifactDelta',
      ]),
    )
    .optional(),
});

/** Their names. */
export const TOOL_OPTIONS: readonly string[] = Object.keys(fieldsSchema.shape);

const optionsSchema = fieldsSchema.superRefine((options, context) => {
  const wrong = (field: string, message: string): void =>
    context.addIssue({ code: 'custom', path: [field], message });
  if (options.memoryLimitBytes !== undefined && options.isolation === 'inline')
    wrong('memoryLimitBytes', "needs isolation 'thread' or 'process'");
  if (options.readOnly === true && options.sideEffect === 'once')
    wrong('readOnly', "has no effect to keep to one, and sideEffect is 'once'");
  if (options.placement === 'worker') return;
  // A runner has neither queue nor lane for them, and a limit that is not kept is worse than none.
  for (const field of ['maxConcurrency', 'rateLimit'] as const)
    if (options[field] !== undefined) wrong(field, 'holds in workers only, and placement is inline');
  if (options.readOnly === true) wrong('readOnly', 'hurries calls to workers, and placement is inline');
  if (options.isolation !== undefined && options.isolation !== 'inline')
    wrong('isolation', 'is for workers, and placement is inline');
});

function count(max: number, min = 1) {
  const range = `must be a whole number from ${min} to ${max}`;
  return z
    .number(range)
    .refine((value) => Number.isSafeInteger(value) && value >= min && value <= max, range);
}

/** Throws `tool.options` with all that is wrong with them; `known` are the names there are, any where it is left out. */
export function checkedToolOptions(
  tool: string,
  given: ToolOptions,
  known?: readonly string[],
): CheckedToolOptions {
  const parsed = optionsSchema.safeParse(given);
  const wrong = [...unknownIn(given, known), ...issuesOf(parsed)];
  if (!parsed.success || wrong.length > 0) throw refused(`The options of tool "${tool}"`, wrong);
  const { pool, placement, isolation, memoryLimitBytes, retry, actions, ...rest } = parsed.data;
  return {
    ...{ pool, placement, isolation, memoryLimitBytes, actions, retryOn: retry?.retryOn },
    policy: toPolicy(rest, retry),
  };
}

/** Throws `tool.options` with all that is wrong with what a toolset is to give its tools. */
export function assertToolOptions(whose: string, given: ToolOptions | undefined): void {
  const options = given ?? {};
  const wrong = [...unknownIn(options, TOOL_OPTIONS), ...issuesOf(optionsSchema.safeParse(options))];
  if (wrong.length > 0) throw refused(`The tool options of ${whose}`, wrong);
}

function refused(what: string, wrong: readonly string[]): AdkError {
  return new AdkError('invalid', 'tool.options', `${what}: ${wrong.join('; ')}.`);
}

function unknownIn(
  { retry, rateLimit, ...given }: ToolOptions,
  known: readonly string[] | undefined,
): string[] {
  return [
    ...(known ? unknownOptions(given, known) : []),
    ...unknownOptions(asObject(retry), Object.keys(retrySchema.shape), 'retry.'),
    ...unknownOptions(asObject(rateLimit), Object.keys(rateLimitSchema.shape), 'rateLimit.'),
  ];
}

/** What is none, the schema tells of. */
function asObject(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}

function issuesOf({ error }: z.ZodSafeParseResult<unknown>): string[] {
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

/** What goes with each call; what is as by default is left out, so that older processes read the same as ever. */
function toPolicy(
  options: Omit<ToolPolicy, 'maxAttempts' | 'backoffMs' | 'maxBackoffMs'>,
  retry: ToolRetry | undefined,
): ToolPolicy {
  const { timeoutMs, sideEffect, priority, ...limits } = options;
  const { maxAttempts = 5, backoffMs, maxBackoffMs } = retry ?? {};
  const optional = {
    scheduleToStartTimeoutMs: limits.scheduleToStartTimeoutMs,
    heartbeatTimeoutMs: limits.heartbeatTimeoutMs,
    maxConcurrency: limits.maxConcurrency,
    rateLimit: limits.rateLimit,
    readOnly: limits.readOnly === true ? true : undefined,
    priority: priority === 'normal' ? undefined : priority,
    ...{ backoffMs, maxBackoffMs },
  };
  const given = Object.entries(optional).filter(([, value]) => value !== undefined);
  return { timeoutMs, maxAttempts, sideEffect, ...Object.fromEntries(given) };
}
