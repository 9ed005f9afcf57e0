import { type Part } from '@skein/contracts';
import { createEventActions } from '@skein/engine';
import { textOf } from '../support/client';
import { clockEnvironment, setClock } from './support/clock';
import { type Stored } from './support/database';
import { Fleet } from './support/fleet';
import { checkInvariants } from './support/invariants';
import { converse, Load } from './support/load';
import {
  callProblems,
  counterProblems,
  effectProblems,
  modelProblems,
  repeatProblems,
  responseProblems,
  sequenceProblems,
} from './support/problems';
import { row } from './support/row';

describe('the harness', () => {
  let fleet: Fleet;

  beforeAll(async () => {
    fleet = await Fleet.start({ envOf: (_name, app) => (app === 'runner' ? clockEnvironment() : {}) });
  }, 120_000);

  afterAll(() => fleet?.stop(), 60_000);

  row('without a fault every invariant holds', async (random) => {
    const load = new Load(fleet, { random, sessions: 12, turns: 4 });
    await load.done;

    const { stored } = await checkInvariants(fleet, { turns: load.turns, repeatedAsks: 0 });

    expect(load.turns.length).toBeGreaterThanOrEqual(48);
    expect(load.turns.map(({ status }) => status)).toEqual(load.turns.map(() => 200));
    expect(stored.invocations.every(({ status }) => status === 'completed')).toBe(true);
  });

  row('a composed agent goes through its confirmation to its end', async () => {
    const url = () => fleet.url;

    const turns = await converse({
      url,
      app: 'pipeline',
      sessionId: 'composed',
      stream: true,
      message: 'go',
    });

    expect(turns).toHaveLength(2);
    expect(turns[1]?.events.map(textOf)).toContain('right is done.');
    const { stored } = await checkInvariants(fleet, { turns, repeatedAsks: 0 });
    expect(stored.sessions.find(({ id }) => id === 'composed')?.state).toEqual({
      did_look_up: 1,
      did_sign: 1,
      did_lift_left: 1,
      did_lift_right: 1,
      did_step: 2,
    });
  });

  it('sets the clock of a process', async () => {
    const runner = fleet.one('runner-1');
    setClock(runner, 3_600_000);
    const pid = await runner.kill('SIGTERM');
    const last = fleet
      .log()
      .split('\n')
      .findLast((line) => line.startsWith('runner-1') && line.includes('"ended"'));

    const { time } = JSON.parse(last?.slice(last.indexOf('{')) ?? '{}') as { time: string };
    expect(new Date(time).getTime() - Date.now()).toBeGreaterThan(3_500_000);
    await runner.untilRestarted(pid);
  });

  it('finds in a log what must not be', () => {
    const event = (seq: number, parts: Part[]) => ({
      app: 'errands',
      sessionId: 's',
      invocationId: 'i',
      id: `e${seq}`,
      seq,
      author: 'errands',
      content: { parts },
      actions: createEventActions(),
    });
    const call = { functionCall: { id: 'c', name: 'count', args: {} } };
    const response = (n: number) => ({ functionResponse: { id: 'c', name: 'count', response: { n } } });
    const session = { app: 'errands', id: 's', state: { n: 1 }, lastSeq: 4, publishedSeq: 4 };
    const invocation = {
      id: 'i',
      sessionId: 's',
      status: 'completed',
      owner: null,
      isLeased: false,
      attempt: 1,
      epoch: 1,
    };
    const stored: Stored = {
      sessions: [session],
      invocations: [invocation],
      events: [event(1, [call]), event(2, [response(1)]), event(4, [response(1)])],
      calls: [
        {
          dispatchId: 'd',
          invocationId: 'i',
          sessionId: 's',
          callId: 'c',
          tool: 'count',
          status: 'done',
          appliedSeq: 1,
        },
      ],
      journalRows: 0,
    };
    const asked = [0, 1, 0].map((ordinal) => ({
      app: 'errands',
      sessionId: 's',
      invocationId: 'i',
      agent: 'errands',
      ordinal,
      pid: 1,
      host: 'here',
      request: {},
    }));
    const effect = {
      tool: 'pay',
      idempotencyKey: 'x',
      functionCallId: 'c',
      sessionId: 's',
      invocationId: 'i',
      pid: 1,
      host: 'here',
    };
    const begin = { ...effect, phase: 'begin' as const };

    expect(sequenceProblems(stored)).toEqual(['session s has last_seq 4, but events 1, 2, 4']);
    expect(responseProblems(stored)).toEqual(['s: call c of count at 1 has 2 responses']);
    expect(callProblems(stored)).toEqual([
      'call c of count (d) in s was applied at 1, but until there is no response to it',
    ]);
    expect(counterProblems(stored)).toEqual(['session s counted 1, 1 and has 1 in its state']);
    expect(modelProblems(asked)).toEqual(['errands/s/errands: 0 was asked after 1, by 1']);
    expect(repeatProblems([...asked.slice(0, 1), ...asked], 0)).toEqual([
      '1 model calls were repeated, of at most 0: errands/s/errands: 0 by 1@here for i, then by 1@here for i',
    ]);
    expect(effectProblems(stored, [begin, begin])).toHaveLength(3);
  });
});
