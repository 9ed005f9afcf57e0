import { channel } from 'node:diagnostics_channel';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AdkError, type Release, type UnitEvent } from '@skein/contracts';
import { createEvent } from '@skein/engine';
import { silentLogger } from '@skein/platform';
import { aHandover, aPipeline, appendedFor, FakeStore } from '../../test/builders';
import { ActiveRun } from './active-run';
import { ActiveRuns } from './active-runs';
import { giveBack } from './give-back';
import { watchSteps } from './watch-steps';

const GRACE_MS = 5_000;

/** A runner of two runs that end only when they are stopped; `e-1` may do something. */
function aRunner() {
  const runs = new ActiveRuns(2);
  const [one, two] = ['e-1', 'e-2'].map((invocationId) => new ActiveRun(aHandover({ invocationId })));
  if (!one || !two) throw new Error('two runs were made');
  const untilStopped = ({ signal }: ActiveRun): Promise<void> =>
    new Promise((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve());
    });
  for (const run of [one, two]) runs.begin(run, untilStopped);
  const released: string[] = [];
  const rpc = { release: async ({ invocationId }: Release) => void released.push(invocationId) };
  return { runs, one, released, rpc, ports: { runs, rpc, runnerId: 'runner-1', logger: silentLogger } };
}

async function someTurns(): Promise<void> {
  for (let n = 0; n < 10; n++) await nextTurn();
}

/** A step of the engine, as it tells of it. */
function aStep(kind: string, invocationId: string): (how?: 'stop' | 'exception') => void {
  const step = { name: kind, attributes: { 'gcp.vertex.agent.invocation_id': invocationId } };
  channel(`skein:${kind}:start`).publish(step);
  return (how = 'stop') => channel(`skein:${kind}:${how}`).publish(step);
}

function anEventOf(stepKey: string): UnitEvent {
  return { stepKey, event: createEvent({ id: stepKey, invocationId: 'e-1', author: 'root', timestamp: 1 }) };
}

describe('giveBack', () => {
  it.each([
    ['a model call', 'llm'],
    ['a step of its author', 'step'],
  ])(
    'hands a run that waits for a tool over at once, and one in %s when that has ended',
    async (_what, kind) => {
      const { runs, released, ports } = aRunner();
      const endWatch = watchSteps(runs);
      const endStep = aStep(kind, 'e-1');

      const given = giveBack(ports, GRACE_MS);
      await someTurns();
      expect(released).toEqual(['e-2']);
      endStep();
      await given;
      endWatch();

      expect(released).toEqual(['e-2', 'e-1']);
      expect(runs.list()).toEqual([]);
    },
  );

  it('keeps a run whose model was asked and answered while what was before it was being stored, until that answer is stored', async () => {
    const { runs, one, released, ports } = aRunner();
    const endWatch = watchSteps(runs);
    const store = new FakeStore();
    const answers: (() => void)[] = [];
    store.answer = (unit) => new Promise((resolve) => answers.push(() => resolve(appendedFor(unit))));
    one.pipeline = aPipeline(store);
    one.pipeline.stageEvent(anEventOf('0/root.0/tools.0'));
    const given = giveBack(ports, GRACE_MS);
    await someTurns();

    const endStep = aStep('llm', 'e-1');
    one.pipeline.stageEvent(anEventOf('0/root.0/model.1'));
    endStep();
    await someTurns();
    answers[0]?.();
    await someTurns();
    expect(released).toEqual(['e-2']);
    answers[1]?.();
    await given;
    endWatch();

    expect(released).toEqual(['e-2', 'e-1']);
  });

  it('gives a step up that lasts longer than the grace', async () => {
    const { one, released, ports } = aRunner();
    one.steps.begin();

    await giveBack(ports, 250);

    expect(one.signal.aborted).toBe(true);
    expect(released).toEqual(['e-2', 'e-1']);
  });

  it('asks again when no session-svc answers at the moment', async () => {
    const { rpc, released, ports } = aRunner();
    const release = rpc.release;
    let asked = 0;
    rpc.release = async (request) => {
      if (++asked <= 2) throw new AdkError('unavailable', 'rpc.no-responders', 'nobody answers');
      return release(request);
    };

    await giveBack(ports, GRACE_MS);

    expect(released.sort()).toEqual(['e-1', 'e-2']);
  });

  it('leaves a run that ended by itself alone', async () => {
    const { runs, one, released, ports } = aRunner();
    one.steps.begin();

    const given = giveBack(ports, GRACE_MS);
    one.stop('it is over');
    await given;

    expect(runs.list()).toEqual([]);
    expect(released).toEqual(['e-2']);
  });
});
