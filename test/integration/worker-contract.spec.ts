import { subjects } from '@skein/contracts';
import { AccessWithoutAnswers } from './worker-contract/access-without-answers';
import { workerKinds } from './worker-contract/kinds';
import { POOL, USER, WorkerBed } from './worker-contract/worker-bed';

const ANSWER_TO = subjects.answer('runner-1');

/** Python and Node start anew for each: on a busy machine that takes its time. */
jest.setTimeout(90_000);

/** docs/reference/tool-protocol.md, as a worker of any language has to keep it. */
describe.each(workerKinds)('a worker $kind', (kind) => {
  let bed: WorkerBed;

  beforeEach(async () => {
    bed = await WorkerBed.start(kind);
    await bed.startWorker();
  }, 90_000);

  afterEach(() => bed?.stop(), 30_000);

  it('gives a result with the ticket of its call, says who it was, and settles the call after that', async () => {
    const dispatchId = await bed.call('echo', { args: { city: 'Tromsø', n: [1, 2] } });

    const result = await bed.resultOf(dispatchId);

    expect(result).toMatchObject({
      ...{ appName: 'contract', userId: 'ada', sessionId: 's', tool: 'echo' },
      ticket: { dispatchId, attempt: 1, hmac: `signed-${dispatchId}` },
      outcome: { kind: 'result', value: { city: 'Tromsø', n: [1, 2] } },
      execution: { worker: 'worker-1', attempt: 1 },
    });
    await bed.until('the call is settled', async () => (await bed.waiting()) === 0);
  });

  it('row 10: asks the runner that waits for a result to take it, and sends what that has taken nowhere else', async () => {
    bed.runner = async () => ({ disposition: 'applied' });
    const dispatchId = await bed.call('echo', { args: { n: 1 }, answerTo: ANSWER_TO });

    await bed.until('the call is settled', async () => (await bed.waiting()) === 0);

    expect(bed.asked).toMatchObject([
      { ticket: { dispatchId, hmac: `signed-${dispatchId}` }, outcome: { kind: 'result', value: { n: 1 } } },
    ]);
    expect(bed.results).toEqual([]);
  });

  it('row 31: gives its result to the queue where that runner has not taken it, refuses it, or does not answer', async () => {
    const answers: (() => Promise<unknown>)[] = [
      async () => ({ disposition: 'unknown' }),
      () => Promise.reject(new Error('no')),
      () => new Promise(() => undefined),
    ];
    for (const answer of answers) {
      bed.runner = answer;
      await bed.resultOf(await bed.call('echo', { answerTo: ANSWER_TO }));
    }
    await bed.resultOf(await bed.call('echo', { answerTo: 'answer.nobody' }));
    await bed.until('the calls are settled', async () => (await bed.waiting()) === 0);

    expect(bed.asked).toHaveLength(3);
    expect(bed.resultSubjects).toEqual(
      Array.from({ length: 4 }, () => expect.stringMatching(/^result\.\d+$/) as string),
    );
  });

  it('begins another call while it waits for what that runner says, though it runs one at a time', async () => {
    await bed.stopWorker();
    await bed.startWorker('worker-2', { TOOL_CONCURRENCY: '1' });
    let asked = 0;
    let bothAsked: () => void = () => undefined;
    bed.runner = async () => {
      if (++asked === 2) bothAsked();
      else await new Promise<void>((resolve) => (bothAsked = resolve));
      return { disposition: 'applied' };
    };

    // On a busy machine a pair may be too slow; one that waits for its turn always is.
    let taken = 0;
    for (let pair = 0; pair < 10 && taken < 2; pair++) {
      [asked, taken] = [0, 2];
      const calls = [
        await bed.call('echo', { answerTo: ANSWER_TO }),
        await bed.call('echo', { answerTo: ANSWER_TO }),
      ];
      await bed.until('both are settled', async () => (await bed.waiting()) === 0);
      const queued = bed.results.filter(({ ticket }) => calls.includes(ticket.dispatchId));
      taken -= queued.length;
    }

    expect(taken).toBe(2);
  });

  it('gives the queue alone what fails, what may run once, and what is too large for a message', async () => {
    bed.runner = async () => ({ disposition: 'applied' });
    const sent = [
      await bed.call('fail', { answerTo: ANSWER_TO }),
      await bed.call('echo', { answerTo: ANSWER_TO, policy: { sideEffect: 'once' } }),
      await bed.call('large', { answerTo: ANSWER_TO, args: { bytes: 2_000_000 } }),
    ];

    for (const dispatchId of sent) await bed.resultOf(dispatchId);

    expect(bed.asked).toEqual([]);
  });

  it('gives the error of a tool that breaks, for the model to read', async () => {
    const { outcome } = await bed.resultOf(await bed.call('fail'));

    expect(outcome).toEqual({ kind: 'error', code: 'tool.threw', message: 'the tool broke' });
  });

  it("says which failures are worth another attempt by the tool's author, and never of a call that runs once", async () => {
    const flaky = await bed.resultOf(await bed.call('flaky'));
    const once = await bed.resultOf(await bed.call('flaky', { policy: { sideEffect: 'once' } }));
    const failed = await bed.resultOf(await bed.call('fail'));

    expect(flaky.outcome).toMatchObject({ kind: 'error', code: 'tool.threw' });
    expect([flaky.retry, once.retry, failed.retry]).toEqual([{}, undefined, undefined]);
  });

  it('refuses what is no call for good, and says of which call it was', async () => {
    await bed.sendWrong('d-wrong.1');

    await bed.until('it is refused', () => bed.refused.length > 0);
    expect(bed.refused[0]).toMatch(/^d-wrong\.1 [a-z-]+\.[a-z-]+: \S/);
  });

  it('gives what a tool set in the state, and the key that is the same on every attempt', async () => {
    const dispatchId = await bed.call('stateful', { state: { mood: 'calm' } });

    const { outcome, actions } = await bed.resultOf(dispatchId);

    expect(outcome).toMatchObject({ value: { key: dispatchId } });
    expect(actions.stateDelta).toEqual({ seen: 'calm' });
  });

  it('keeps a call that takes longer than the ack wait: nobody is given it a second time', async () => {
    const dispatchId = await bed.call('pause', { args: { ms: 3_500 } });

    const { outcome, execution } = await bed.resultOf(dispatchId);

    expect([outcome, execution.attempt]).toEqual([{ kind: 'result', value: { paused: 3_500 } }, 1]);
    expect(bed.log.match(/pause begins/g)).toHaveLength(1);
  });

  it('ends a tool at its timeout', async () => {
    const { outcome } = await bed.resultOf(await bed.call('endless', { policy: { timeoutMs: 300 } }));

    expect(outcome).toMatchObject({ kind: 'error', code: 'tool.timeout' });
  });

  it('ends a tool that is silent for longer than its heartbeat timeout, and no other', async () => {
    const policy = { heartbeatTimeoutMs: 500 };
    const silent = await bed.call('endless', { policy });
    const beating = await bed.call('beating', { args: { beats: 10 }, policy });

    expect((await bed.resultOf(silent)).outcome).toMatchObject({ kind: 'error', code: 'tool.heartbeat' });
    expect((await bed.resultOf(beating)).outcome).toMatchObject({ value: { beats: 10 } });
  });

  it('ends a call whose run was cancelled, and does not begin one that it is given later', async () => {
    const invocationId = `e-${crypto.randomUUID()}`;
    const running = await bed.call('endless', { invocationId });
    await bed.until('the tool runs', () => bed.log.includes('endless begins'));

    await bed.cancel(invocationId);
    const ended = await bed.resultOf(running);
    const late = await bed.resultOf(await bed.call('endless', { invocationId }));

    expect([ended.outcome, late.outcome]).toMatchObject(
      Array.from({ length: 2 }, () => ({ kind: 'error', code: 'tool.cancelled' })),
    );
    expect(bed.log.match(/endless begins/g)).toHaveLength(1);
  });

  it('tells how far a call is, with its ticket and a number that rises', async () => {
    const dispatchId = await bed.call('reporting', { args: { times: 4 } });
    await bed.resultOf(dispatchId);

    await bed.until('the progress is heard', () => bed.progress.length >= 2);
    for (const said of bed.progress) expect(said.ticket).toMatchObject({ dispatchId, attempt: 1 });
    const numbers = bed.progress.map(({ n }) => n);
    expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
    expect(bed.progress.at(0)?.value).toEqual({ step: 0 });
  });

  it('tells the latest of what a tool reports at once, when the pause after the first is over', async () => {
    await bed.resultOf(await bed.call('bursting', { args: { times: 5 } }));

    await bed.until('the progress is heard', () => bed.progress.length >= 2);
    expect(bed.progress.map(({ value }) => value).at(-1)).toEqual({ step: 4 });
    expect(bed.progress.length).toBeLessThan(5);
  });

  it('row 36: takes arguments and gives results that are larger than a message', async () => {
    const measured = await bed.call('measure', { args: { text: 'y'.repeat(3_000_000) } });
    const large = await bed.call('large', { args: { bytes: 2_000_000 } });

    expect((await bed.resultOf(measured)).outcome).toMatchObject({ value: { length: 3_000_000 } });
    expect((await bed.resultOf(large)).outcome).toMatchObject({ value: 'x'.repeat(2_000_000) });
  });

  it('asks before it runs a call that may run once, and does as it is told', async () => {
    const policy = { sideEffect: 'once' } as const;
    const run = await bed.resultOf(await bed.call('echo', { policy }));
    bed.verdict = 'lost';
    const lost = await bed.resultOf(await bed.call('echo', { policy }));
    bed.verdict = 'taken';
    await bed.call('pause', { policy, args: { ms: 1 } });
    await bed.until('all are settled', async () => bed.begun.length === 3 && (await bed.waiting()) === 0);

    expect(run.outcome.kind).toBe('result');
    expect(lost.outcome).toMatchObject({ kind: 'error', code: 'tool.outcome-unknown' });
    expect(bed.results).toHaveLength(2);
    expect(bed.log).not.toContain('pause begins');
    expect(new Set(bed.begun.map(({ handler }) => handler)).size).toBe(3);
  });

  it('row 33: asks before it begins a call that others may have died of, and begins it as the start it is told', async () => {
    const run = await bed.resultOf(await bed.call('echo', { started: 5 }));
    bed.mayRunAgain = { verdict: 'spent', attempt: 3 };
    const spent = await bed.resultOf(await bed.call('pause', { started: 9 }));
    // Its result is there before the worker is done with it; until then it is beside the next one.
    await bed.until('it is settled', async () => (await bed.waiting()) === 0);
    bed.mayRunAgain = { verdict: 'returned' };
    await bed.call('pause', { started: 1, returned: 2 });
    await bed.until('all are settled', async () => bed.again.length === 3 && (await bed.waiting()) === 0);

    expect([run.outcome.kind, run.execution.attempt]).toEqual(['result', 2]);
    expect(spent.outcome).toMatchObject({ kind: 'error', code: 'tool.attempts-spent' });
    expect(spent.execution.attempt).toBe(3);
    expect(bed.results).toHaveLength(2);
    expect(bed.log).not.toContain('pause begins');
    expect(bed.again.at(-1)).toMatchObject({ tool: 'pause', returned: 2, started: 1, beside: 0 });
    expect(new Set(bed.again.map(({ handler }) => handler)).size).toBe(3);
  });

  it('row 33: says how many calls it runs that others may have died of, as it asks for one more', async () => {
    await bed.call('pause', { args: { ms: 5_000 }, started: 1 });
    await bed.until('it runs', () => bed.log.includes('pause begins'));
    await bed.resultOf(await bed.call('echo'));

    await bed.resultOf(await bed.call('echo', { started: 1 }));

    expect(bed.again.map(({ beside }) => beside)).toEqual([0, 1]);
  });

  it('row 33: counts such a call by its deliveries while nobody answers', async () => {
    bed.mayRunAgain = undefined;
    const run = await bed.call('echo', { started: 3 });
    const spent = await bed.call('pause', { started: 5 });

    const results = [await bed.resultOf(run), await bed.resultOf(spent)];

    expect(results.map(({ execution }) => execution.attempt)).toEqual([4, 5]);
    expect(results.map(({ outcome }) => outcome)).toMatchObject([
      { kind: 'result' },
      { kind: 'error', code: 'tool.attempts-spent' },
    ]);
    expect(bed.log).not.toContain('pause begins');
  });

  it('names what goes on after its call as left behind, before it gives the result, until that is done', async () => {
    const policy = { timeoutMs: 300, maxConcurrency: 1 };
    const dispatchId = await bed.call('deaf', { args: { ms: 2_500 }, policy });
    const { outcome } = await bed.resultOf(dispatchId);
    const named = bed.announcements.flatMap(({ leftBehind }) => leftBehind ?? []);

    expect(outcome).toMatchObject({ kind: 'error', code: 'tool.timeout' });
    expect(named).toContainEqual({ appName: 'contract', tool: 'deaf', pool: POOL, calls: 1 });
    await bed.until('it is done', () => bed.announcements.at(-1)?.leftBehind === undefined);
  });

  it('names nothing as left behind of a tool without a limit', async () => {
    await bed.resultOf(await bed.call('deaf', { args: { ms: 1_500 }, policy: { timeoutMs: 300 } }));

    expect(bed.announcements.filter(({ leftBehind }) => leftBehind)).toEqual([]);
  });

  it('hands back a call of a tool it does not have, without using up an attempt', async () => {
    const first = await bed.call('unheard-of');
    const later = await bed.call('unheard-of', { returned: 3, started: 2 });

    await bed.until(
      'both are settled',
      async () => bed.handedBack.length === 2 && (await bed.waiting()) === 0,
    );
    const said = { tool: 'unheard-of', reason: 'unknown' };
    expect(bed.handedBack.find(({ ticket }) => ticket.dispatchId === first)).toMatchObject({
      ...{ ...said, returned: 0, started: 0 },
      ticket: { dispatchId: first, attempt: 1, hmac: `signed-${first}` },
    });
    expect(bed.handedBack.find(({ ticket }) => ticket.dispatchId === later)).toMatchObject({
      ...{ ...said, returned: 3, started: 2 },
    });
    expect(bed.results).toEqual([]);
  });

  it('keeps a call that it cannot run until somebody takes it back', async () => {
    bed.returned = undefined;
    await bed.call('unheard-of');
    await bed.until('it asked in vain', () => bed.handedBack.length >= 2);
    expect(await bed.waiting()).toBe(1);

    bed.returned = 'over';

    await bed.until('it is settled', async () => (await bed.waiting()) === 0);
    expect(bed.results).toEqual([]);
  });

  it('answers a call whose tool no other worker has', async () => {
    bed.returned = 'unknown';
    const { outcome } = await bed.resultOf(await bed.call('unheard-of'));

    expect(outcome).toMatchObject({ kind: 'error', code: 'tool.unknown' });
  });

  it('does not run a call whose deadline has passed', async () => {
    const { outcome } = await bed.resultOf(
      await bed.call('pause', { args: { ms: 1 }, deadlineMs: Date.now() - 5_000 }),
    );

    expect(outcome).toMatchObject({ kind: 'error', code: 'tool.deadline' });
    expect(bed.log).not.toContain('pause begins');
  });

  it('announces its pools, its tools and what it runs; at SIGTERM it says that it leaves, and finishes', async () => {
    const dispatchId = await bed.call('pause', { args: { ms: 2_500 } });
    await bed.until('it says that it runs it', () =>
      bed.announcements.some(({ running }) => running.includes(dispatchId)),
    );

    const code = await bed.stopWorker();

    const [first] = bed.announcements;
    expect(first?.pools).toMatchObject([{ pool: 'contract' }]);
    expect(first?.apps.contract?.tools).toEqual(
      expect.arrayContaining(['echo', 'pause', 'large']) as string[],
    );
    expect((await bed.resultOf(dispatchId)).outcome).toMatchObject({ value: { paused: 2_500 } });
    await bed.until('it said that it leaves', () => bed.announcements.at(-1)?.isLeaving === true);
    expect(code).toBe(0);
  });
});

/** docs/how-to/upgrade.md: its configuration comes after the services. */
describe.each(workerKinds)('a worker $kind on a server that lets it ask no runner', (kind) => {
  it('row 16: gives its result to the queue', async () => {
    const users = [{ user: USER, pools: [POOL] }];
    const bed = await WorkerBed.start(kind, new AccessWithoutAnswers('a secret of the test', users));
    try {
      await bed.startWorker();
      const dispatchId = await bed.call('echo', { args: { n: 1 }, answerTo: ANSWER_TO });

      const { outcome } = await bed.resultOf(dispatchId);

      expect(outcome).toEqual({ kind: 'result', value: { n: 1 } });
      expect(bed.resultSubjects).toMatchObject([expect.stringMatching(/^result\.\d+\.tool-worker$/)]);
      await bed.until('the call is settled', async () => (await bed.waiting()) === 0);
    } finally {
      await bed.stop();
    }
  });
});
