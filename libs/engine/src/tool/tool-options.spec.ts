import { AdkError } from '@skein/contracts';
import { FunctionTool } from './function-tool';
import { PrefixedTool } from './prefixed-tool';
import { type ToolOptions } from './tool-options';

function aTool(options: ToolOptions = {}): FunctionTool {
  return new FunctionTool({ name: 'ship', description: 'Ships.', execute: () => null, ...options });
}

function refusalOf(options: unknown): AdkError {
  try {
    aTool(options as ToolOptions);
  } catch (error) {
    return AdkError.from(error);
  }
  throw new Error('the options were taken');
}

const ALL: ToolOptions = {
  pool: 'graphics',
  timeoutMs: 1_000,
  scheduleToStartTimeoutMs: 2_000,
  heartbeatTimeoutMs: 500,
  retry: { maxAttempts: 7, backoffMs: 10, maxBackoffMs: 100, retryOn: (error) => error instanceof TypeError },
  sideEffect: 'once',
  maxConcurrency: 4,
  rateLimit: { calls: 10, perMs: 1_000 },
  priority: 'high',
  isolation: 'thread',
  memoryLimitBytes: 64 * 1024 * 1024,
  actions: ['escalate'],
};

describe('the options of a tool', () => {
  it('are as documented when none is given, and nothing of that is sent along that older processes do not know', () => {
    const { pool, placement, isolation, memoryLimitBytes, retryOn, actions, policy } = aTool();

    expect({ pool, placement, isolation }).toEqual({
      pool: 'default',
      placement: 'worker',
      isolation: undefined,
    });
    expect([memoryLimitBytes, retryOn, actions]).toEqual([undefined, undefined, undefined]);
    expect(Object.entries(policy)).toEqual([
      ['timeoutMs', 60_000],
      ['maxAttempts', 5],
      ['sideEffect', 'idempotent'],
    ]);
  });

  it('go with each call where the fleet keeps them, and stay with the tool where its worker does', () => {
    const tool = aTool(ALL);

    expect(tool.policy).toEqual({
      ...{ timeoutMs: 1_000, maxAttempts: 7, sideEffect: 'once', scheduleToStartTimeoutMs: 2_000 },
      ...{ heartbeatTimeoutMs: 500, backoffMs: 10, maxBackoffMs: 100, maxConcurrency: 4 },
      ...{ rateLimit: { calls: 10, perMs: 1_000 }, priority: 'high' },
    });
    const { pool, isolation, memoryLimitBytes, actions } = tool;
    expect({ pool, isolation, memoryLimitBytes, actions }).toMatchObject({
      ...{ pool: 'graphics', isolation: 'thread', memoryLimitBytes: 64 * 1024 * 1024, actions: ['escalate'] },
    });
    expect([tool.retryOn?.(new TypeError()), tool.retryOn?.(new Error())]).toEqual([true, false]);
  });

  it('say of a tool that it only reads where they do, and nothing where they do not', () => {
    expect(aTool({ readOnly: true }).policy).toMatchObject({ sideEffect: 'idempotent', readOnly: true });
    expect(aTool({ readOnly: false, placement: 'inline' }).policy).not.toHaveProperty('readOnly');
  });

  it.each([
    [
      { readOnly: true, sideEffect: 'once' },
      "readOnly: has no effect to keep to one, and sideEffect is 'once'",
    ],
    [{ readOnly: true, placement: 'inline' }, 'readOnly: hurries calls to workers, and placement is inline'],
    [{ readOnly: 'yes' }, 'readOnly: Invalid input: expected boolean, received string'],
  ])('are refused where %j contradicts itself', (options, why) => {
    expect(refusalOf(options).message).toBe(`The options of tool "ship": ${why}.`);
  });

  it('ask for another attempt after any throw once `retry` is given', () => {
    expect(aTool({ retry: {} }).retryOn?.(new Error('any'))).toBe(true);
    expect(aTool({ retry: { maxAttempts: 2 } }).policy.maxAttempts).toBe(2);
  });

  it.each([{}, ALL, { retry: { maxAttempts: 2 } }, { placement: 'inline' }] as ToolOptions[])(
    'are those of the tool behind a prefix, too: %j',
    (options) => {
      const tool = aTool(options);
      const prefixed = new PrefixedTool(tool, 'x_ship');

      const { pool, placement, policy, isolation, memoryLimitBytes, retryOn, actions } = tool;
      expect(prefixed).toMatchObject({
        ...{ name: 'x_ship', pool, placement, policy, isolation, memoryLimitBytes, retryOn, actions },
      });
    },
  );

  it('that make no sense are all named at once', () => {
    const { code, kind, message } = refusalOf({
      pool: '',
      timeoutMs: 0,
      scheduleToStartTimeoutMs: 2 ** 31,
      heartbeatTimeoutMs: Number.NaN,
      retry: { maxAttempts: 0, backoffMs: -1, maxBackoffMs: '1 s', retryOn: true },
      sideEffect: 'twice',
      maxConcurrency: 1.5,
      rateLimit: { calls: 0 },
      priority: 'urgent',
      placement: 'elsewhere',
      isolation: 'vm',
      memoryLimitBytes: -1,
      actions: ['rewindBeforeInvocationId'],
    });

    expect({ code, kind }).toEqual({ code: 'tool.options', kind: 'invalid' });
    expect(message).toContain('"ship"');
    for (const field of [
      ...['pool', 'timeoutMs', 'scheduleToStartTimeoutMs', 'heartbeatTimeoutMs', 'retry.maxAttempts'],
      ...['retry.backoffMs', 'retry.maxBackoffMs', 'retry.retryOn', 'sideEffect', 'maxConcurrency'],
      ...['rateLimit.calls', 'rateLimit.perMs', 'priority', 'placement', 'isolation', 'memoryLimitBytes'],
      'actions.0',
    ])
      expect(message).toContain(`${field}: `);
  });

  it.each([
    ['timeoutMs', 2 ** 31, '1 to 2147483647'],
    ['timeoutMs', 0, '1 to 2147483647'],
    ['heartbeatTimeoutMs', 1.5, '1 to 2147483647'],
    ['scheduleToStartTimeoutMs', 2 ** 60, '1 to 2147483647'],
    ['maxConcurrency', 2_000_000, '1 to 1000000'],
    ['memoryLimitBytes', 16 * 2 ** 20 - 1, '16777216 to 9007199254740991'],
    ['retry.maxAttempts', '3', '1 to 1000'],
    ['rateLimit.calls', Infinity, '1 to 1000000000'],
  ])('say of %s: %p once, and with it, which numbers there are', (name, value, range) => {
    const [option = '', part] = name.split('.');
    const rateLimit = option === 'rateLimit' ? { perMs: 1 } : {};
    const given = { isolation: 'thread', [option]: part ? { ...rateLimit, [part]: value } : value };

    expect(refusalOf(given).message).toBe(
      `The options of tool "ship": ${name}: must be a whole number from ${range}.`,
    );
  });

  it.each(['a.b', '*', 'bad name.*>', 'gpu_large', 'a,b', ' a', 'pÖol', 'x'.repeat(129)])(
    'say no pool %j, which workers could not be given by TOOL_POOLS, or NATS could not be by its subjects',
    (pool) => {
      const { code, message } = refusalOf({ pool });

      expect(code).toBe('tool.options');
      expect(message).toContain('The options of tool "ship": pool: ');
      expect(message).toContain('1 to 128 letters, digits and "-"');
    },
  );

  it('that need a worker are refused of a tool in the runner, and a memory limit of one without a place of its own', () => {
    const inline = { placement: 'inline', maxConcurrency: 1, isolation: 'thread' };
    const { message } = refusalOf({ ...inline, rateLimit: { calls: 1, perMs: 1 } });

    for (const field of ['maxConcurrency', 'rateLimit', 'isolation']) expect(message).toContain(`${field}: `);
    expect(refusalOf({ isolation: 'inline', memoryLimitBytes: 1 }).message).toContain(
      "memoryLimitBytes: needs isolation 'thread'",
    );
  });
});
