import { AdkError } from '@skein/contracts';
import { createEventActions } from '@skein/engine';
import { withRetry } from './retry-of';
import { planeError } from './tool-outcome';

const FAILED = planeError('tool.threw', 'no');
const IDEMPOTENT = { sideEffect: 'idempotent' } as const;

describe('whether a failed attempt is tried again', () => {
  it('is as the author says, and no where nothing was said', () => {
    const retryOn = (error: unknown): boolean => error instanceof TypeError;

    expect(withRetry(FAILED, new TypeError(), { policy: IDEMPOTENT, retryOn }).retry).toEqual({});
    expect(withRetry(FAILED, new Error(), { policy: IDEMPOTENT, retryOn }).retry).toBeUndefined();
    expect(withRetry(FAILED, new Error(), { policy: IDEMPOTENT, retryOn: undefined }).retry).toBeUndefined();
  });

  it('is yes for what the tool says is away, after the time it says', () => {
    const rule = { policy: IDEMPOTENT, retryOn: undefined };
    const away = new AdkError('unavailable', 'shop.away', 'later', { retryAfterMs: 1_234.5 });

    expect(withRetry(FAILED, away, rule).retry).toEqual({ afterMs: 1_235 });
    expect(withRetry(FAILED, new AdkError('unavailable', 'shop.away', 'later'), rule).retry).toEqual({});
    expect(withRetry(FAILED, new AdkError('invalid', 'shop.no', 'never'), rule).retry).toBeUndefined();
  });

  it('is never for a call that may run once, a result, or where the rule itself throws', () => {
    const yes = (): boolean => true;
    const result = { outcome: { kind: 'result' as const, value: 1 }, actions: createEventActions() };
    const broken = (): boolean => {
      throw new Error('broken');
    };

    expect(
      withRetry(FAILED, new Error(), { policy: { sideEffect: 'once' }, retryOn: yes }).retry,
    ).toBeUndefined();
    expect(withRetry(result, new Error(), { policy: IDEMPOTENT, retryOn: yes })).toEqual(result);
    expect(withRetry(FAILED, new Error(), { policy: IDEMPOTENT, retryOn: broken }).retry).toBeUndefined();
  });

  it('is no for what throws when it is looked at', () => {
    const hostile: unknown = new Proxy(
      {},
      {
        getPrototypeOf() {
          throw new Error('trap');
        },
      },
    );

    expect(withRetry(FAILED, hostile, { policy: IDEMPOTENT, retryOn: undefined }).retry).toBeUndefined();
  });
});
