import { randomUUID } from 'node:crypto';
import { jetstreamManager } from '@nats-io/jetstream';
import { type CallRow, type Handover, subjects, type Ticket, type ToolResultMessage } from '@skein/contracts';
import { aCall, aKey, anEvent, aUnit, eventually } from './session-store-harness';
import {
  appendTo,
  Cleanup,
  type FakeRunner,
  handoverOf,
  resultOf,
  type ServiceGround,
  startFakeRunner,
  startServiceGround,
  statusOfCall,
  submitTo,
} from './session-svc-harness';

let ground: ServiceGround;
let runner: FakeRunner;
const cleanup = new Cleanup();

interface Sent {
  readonly call: CallRow;
  readonly result: ToolResultMessage;
}

beforeAll(async () => {
  ground = await startServiceGround();
  cleanup.add(() => ground.stop());
  const service = await ground.startService();
  cleanup.add(() => service.stop());
  runner = await startFakeRunner(ground, cleanup);
  // A run for each test.
  await runner.setCredit(50);
}, 60_000);
afterAll(() => cleanup.run());

/** A call that a worker has, and a result of it that is in order. */
async function aSentCall(): Promise<Sent> {
  const handover = await handoverOf(runner, await submitTo(ground, aKey()));
  const call = aCall();
  const unit = aUnit(handover, 1, { runnerId: runner.runnerId, has: [anEvent()], calls: [call] });
  const [ticket] = (await appendTo(ground, unit)).tickets;
  if (!ticket) throw new Error('the call got no ticket');
  return { call, result: resultWith(handover, ticket) };
}

function resultWith(handover: Handover, ticket: Ticket): ToolResultMessage {
  const { appName, userId, sessionId, invocationId } = handover;
  return {
    ...{ appName, userId, sessionId, invocationId, tool: 'add', ticket },
    outcome: { kind: 'result', value: 'THE VALUE' },
    actions: { stateDelta: {}, artifactDelta: {}, requestedAuthConfigs: {}, requestedToolConfirmations: {} },
    execution: { worker: 'w', pid: 1, attempt: 1, durationMs: 1 },
  };
}

/** As any program with the credentials of a worker may, whatever it holds. */
function send(body: string): void {
  ground.connection.nats.publish(subjects.result(0), body);
}

function nested(levels: number): string {
  return `${'['.repeat(levels)}${']'.repeat(levels)}`;
}

async function lettersOf({ call }: Sent): Promise<unknown[]> {
  const { rows } = await ground.database.pool.query<{ code: string }>(
    'SELECT code FROM adk_dead_letters WHERE dispatch_id = $1',
    [call.dispatchId],
  );
  return rows.map(({ code }) => code);
}

async function noneIsLeft(): Promise<void> {
  const manager = await jetstreamManager(ground.connection.nats);
  await eventually('every result to be done with', async () => {
    const { state } = await manager.streams.info('RESULTS');
    return state.messages === 0 || undefined;
  });
}

describe('row 9: a result of a genuine ticket that is nested too deep', () => {
  it.each([57, 100, 1_000, 5_000, 100_000])('ends its call: %i levels', async (levels) => {
    const sent = await aSentCall();

    send(JSON.stringify(sent.result).replace('"THE VALUE"', nested(levels)));

    const { outcome } = await resultOf(runner, sent.call);
    expect(outcome).toMatchObject({ kind: 'error', code: 'tool.too-deep' });
    expect(await lettersOf(sent)).toEqual(['tool.too-deep']);
    await noneIsLeft();
  });

  it('ends it for what it sets, too', async () => {
    const sent = await aSentCall();

    send(JSON.stringify(sent.result).replace('"stateDelta":{}', `"stateDelta":{"deep":${nested(60)}}`));

    expect(await resultOf(runner, sent.call)).toMatchObject({ outcome: { code: 'tool.too-deep' } });
  });

  it('is taken as deep as a tool may answer', async () => {
    const sent = await aSentCall();

    send(JSON.stringify(sent.result).replace('"THE VALUE"', nested(56)));

    const { outcome } = await resultOf(runner, sent.call);
    expect(outcome.kind).toBe('result');
  });
});

describe('row 18: a result of a genuine ticket that is not of its shape', () => {
  it.each([
    ['lacks who ran it', { execution: undefined }],
    ['has an outcome of a kind that nobody knows', { outcome: { kind: 'weird' } }],
    ['sets what is no state', { actions: { stateDelta: 'x' } }],
  ])('ends its call at once where it %s', async (_what, change) => {
    const sent = await aSentCall();

    send(JSON.stringify({ ...sent.result, ...change }));

    const { outcome } = await resultOf(runner, sent.call);
    expect(outcome).toMatchObject({ kind: 'error', code: 'tool.bad-result' });
    expect(await lettersOf(sent)).toEqual(['tool.bad-result']);
    await noneIsLeft();
  });

  it('leaves its call as it is where the ticket is not genuine', async () => {
    const sent = await aSentCall();
    const { execution: _execution, ...lacking } = sent.result;

    send(JSON.stringify({ ...lacking, ticket: { ...sent.result.ticket, hmac: 'forged' } }));
    send(JSON.stringify({ ...lacking, ticket: { ...sent.result.ticket, dispatchId: randomUUID() } }));
    send(JSON.stringify({ ...lacking, tool: 'sub' }));

    await eventually('the three to be there', async () => {
      const manager = await jetstreamManager(ground.connection.nats);
      const { state } = await manager.streams.info('RESULTS');
      return (state.messages === 0 && state.last_seq > 0) || undefined;
    });
    await ground.connection.flush();
    await noneIsLeft();
    expect(await statusOfCall(ground, sent.call.dispatchId)).toBe('dispatched');
    expect(await lettersOf(sent)).toEqual([]);
    const heard = runner.results.map(({ ticket }) => ticket.dispatchId);
    expect(heard).not.toContain(sent.call.dispatchId);
  });
});
