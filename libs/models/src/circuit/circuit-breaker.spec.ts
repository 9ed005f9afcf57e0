import { CircuitBreaker } from './circuit-breaker';

const failed = { kind: 'failed' } as const;
const answered = { kind: 'answered' } as const;

describe('CircuitBreaker', () => {
  let circuit: CircuitBreaker;

  beforeEach(() => {
    jest.useFakeTimers();
    circuit = new CircuitBreaker();
  });
  afterEach(() => jest.useRealTimers());

  /** So many requests, one a second. */
  function fail(count: number): void {
    for (let n = 0; n < count; n++) {
      circuit.begin('m').end(failed);
      jest.advanceTimersByTime(n < count - 1 ? 1_000 : 0);
    }
  }

  /** Whether a request would be turned away now. */
  function isOpen(): boolean {
    try {
      circuit.check('m');
      return false;
    } catch {
      // That is how it says so.
      return true;
    }
  }

  it('leaves a model alone that only fails, and says so', () => {
    fail(6);

    expect(() => circuit.begin('m')).toThrow('"m" failed 6 times in a row; it is not asked again for 15 s.');
    expect(isOpen()).toBe(true);
  });

  it('is not opened by what fails in one moment, however much it is', () => {
    const ends = Array.from({ length: 100 }, () => circuit.begin('m'));

    for (const one of ends) one.end(failed);

    expect(isOpen()).toBe(false);
  });

  it.each(['answered', 'refused'] as const)('begins to count anew when a request was %s', (kind) => {
    fail(5);
    circuit.begin('m').end({ kind });

    fail(5);

    expect(isOpen()).toBe(false);
  });

  it('lets one request try after a rest, and the others when that was answered', () => {
    fail(6);
    jest.advanceTimersByTime(15_000);

    const trying = circuit.begin('m');
    expect(() => circuit.begin('m')).toThrow('failed 6 times');
    trying.end(answered);

    circuit.begin('m');
    circuit.begin('m');
  });

  it('rests for twice as long when the one that tried failed, up to two minutes', () => {
    fail(6);
    for (const restMs of [15_000, 30_000, 60_000, 120_000, 120_000]) {
      jest.advanceTimersByTime(restMs - 1);
      expect(isOpen()).toBe(true);
      jest.advanceTimersByTime(1);
      circuit.begin('m').end(failed);
    }
  });

  it('lets another try when nobody waited for the one that did', () => {
    fail(6);
    jest.advanceTimersByTime(15_000);

    circuit.begin('m').end({ kind: 'abandoned' });

    circuit.begin('m').end(answered);
    expect(circuit.isIdle).toBe(true);
  });

  it('lets the others ask while the answer that was begun after the rest is still coming', () => {
    fail(6);
    jest.advanceTimersByTime(15_000);
    const trying = circuit.begin('m');
    expect(() => circuit.begin('m')).toThrow(expect.objectContaining({ retryAfterMs: 1_000 }));

    trying.accepted();

    circuit.begin('m').end(answered);
    trying.end(failed);
    expect(isOpen()).toBe(false);
  });

  it('is opened by answers that begin and break off, too', () => {
    for (let n = 0; n < 6; n++) {
      const begun = circuit.begin('m');
      begun.accepted();
      begun.end(failed);
      jest.advanceTimersByTime(1_000);
    }

    expect(isOpen()).toBe(true);
  });

  it('learns nothing new from what was under way when it opened', () => {
    const late = circuit.begin('m');
    fail(6);
    jest.advanceTimersByTime(15_000);
    const trying = circuit.begin('m');

    late.end(failed);

    expect(() => circuit.begin('m')).toThrow('failed 7 times');
    trying.end(answered);
    expect(isOpen()).toBe(false);
  });

  it('says how long it really rests', () => {
    fail(6);
    jest.advanceTimersByTime(14_700);

    expect(() => circuit.check('m')).toThrow(
      expect.objectContaining({ code: 'model.away', retryAfterMs: 300 }),
    );
    jest.advanceTimersByTime(300);
    circuit.check('m');
  });

  it('tries once in fifteen seconds while no trial is decided, however many want to ask', () => {
    fail(6);
    jest.advanceTimersByTime(15_000);
    let trials = 0;

    for (let ms = 0; ms < 60_000; ms += 100) {
      if (!isOpen()) {
        circuit.begin('m');
        trials += 1;
      }
      jest.advanceTimersByTime(100);
    }

    expect(trials).toBe(4);
  });

  it('lets all of them ask once a trial is accepted, also one that others followed', () => {
    fail(6);
    jest.advanceTimersByTime(15_000);
    const first = circuit.begin('m');
    jest.advanceTimersByTime(15_000);
    circuit.begin('m');

    first.accepted();

    expect(isOpen()).toBe(false);
  });

  it('is not opened again by a trial that fails after another request was answered', () => {
    const late = circuit.begin('m');
    fail(6);
    jest.advanceTimersByTime(15_000);
    const trying = circuit.begin('m');
    late.end(answered);

    trying.end(failed);

    expect(isOpen()).toBe(false);
  });

  it('has no second trial for one that ends when it is none any more', () => {
    const late = circuit.begin('m');
    fail(6);
    jest.advanceTimersByTime(15_000);
    const forgotten = circuit.begin('m');
    late.end(answered);
    fail(6);
    jest.advanceTimersByTime(15_000);
    circuit.begin('m');

    forgotten.end({ kind: 'abandoned' });

    expect(isOpen()).toBe(true);
  });

  it('may be forgotten ten minutes after its last failure', () => {
    fail(1);
    jest.advanceTimersByTime(599_999);
    expect(circuit.isIdle).toBe(false);
    fail(1);
    jest.advanceTimersByTime(599_999);
    expect(circuit.isIdle).toBe(false);

    jest.advanceTimersByTime(1);

    expect(circuit.isIdle).toBe(true);
  });
});
