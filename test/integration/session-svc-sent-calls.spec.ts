import { jetstreamManager } from '@nats-io/jetstream';
import {
  type AppendUnit,
  type CallRow,
  type Handover,
  type ToolCallMessage,
  toolCallMessageSchema,
} from '@skein/contracts';
import { subscribeCore } from '@skein/messaging';
import { AppendBatcher, cancelInvocation, isGenuine } from '@skein/session-store';
import { sharedServices } from './session-services';
import { aCall, aKey, anEventWithDelta, aUnit, eventually, LEASE_MS, SECRET } from './session-store-harness';
import {
  appendTo,
  handoverOf,
  type FakeRunner,
  publishResult,
  resultOf,
  startFakeRunner,
  submitTo,
} from './session-svc-harness';

// Sweeps come too late for these tests: what is sent here is sent with its unit.
const { ground, atEnd } = sharedServices({ SWEEP_MS: '60000' });
let runner: FakeRunner;
const sent: ToolCallMessage[] = [];
/** The first tokens of the subjects it published on, in that order. */
const published: (string | undefined)[] = [];
const userContent = { role: 'user', parts: [{ text: 'as it was sent along' }] };

beforeAll(async () => {
  const calls = subscribeCore(ground.connection, 'tool.>', toolCallMessageSchema, (message) =>
    sent.push(message),
  );
  const everything = ground.connection.nats.subscribe('*.>', {
    callback: (_error, { subject }) => void published.push(subject.split('.')[0]),
  });
  atEnd.add(() => Promise.all([calls.close(), everything.drain()]));
  await ground.connection.flush();
  runner = await startFakeRunner(ground, atEnd);
  // A run for each test.
  await runner.setCredit(50);
});

const aRun = async (): Promise<Handover> => handoverOf(runner, await submitTo(ground, aKey()));

function unitOf(run: Handover, calls: readonly CallRow[], more: Partial<AppendUnit> = {}): AppendUnit {
  const { runnerId } = runner;
  const event = anEventWithDelta({ stored: 1, 'temp:kept': 2 });
  const ids = calls.map(({ dispatchId }) => ({ dispatchId }));
  const sending = [{ state: { given: 1 }, userContent, calls: ids }];
  return aUnit(run, 1, { runnerId, has: [event], calls: [...calls], sending, ...more });
}

const messagesOf = ({ dispatchId }: CallRow): ToolCallMessage[] =>
  sent.filter(({ ticket }) => ticket.dispatchId === dispatchId);

const messageOf = (call: CallRow): Promise<ToolCallMessage> =>
  eventually(`the message of ${call.dispatchId}`, () => messagesOf(call)[0]);

/** A call that is sent after all that was stored before it. */
async function sentAfterAll(): Promise<void> {
  const call = aCall();
  await appendTo(ground, unitOf(await aRun(), [call]));
  await messageOf(call);
}

async function isNoted({ dispatchId }: CallRow): Promise<boolean> {
  const { rows } = await ground.database.pool.query<{ is_noted: boolean }>(
    'SELECT confirmed_at IS NOT NULL AS is_noted FROM adk_tool_calls WHERE dispatch_id = $1',
    [dispatchId],
  );
  return rows[0]?.is_noted ?? false;
}

/** Two calls that were sent; the first ended before that was noted. A note may come at any moment, so it is tried again. */
function oneOfTwoEnded(): Promise<{ readonly ended: CallRow; readonly open: CallRow }> {
  return eventually('a call that ended before its note', async () => {
    const [ended, open] = [aCall(), aCall({ index: 1 })];
    await appendTo(ground, unitOf(await aRun(), [ended, open]));
    const { rowCount } = await ground.database.pool.query(
      `UPDATE adk_tool_calls SET status = 'done', result = '{}' WHERE dispatch_id = $1 AND confirmed_at IS NULL`,
      [ended.dispatchId],
    );
    return rowCount === 1 ? { ended, open } : undefined;
  });
}

describe('calls that are to be sent as their unit is stored', () => {
  it('are sent by session-svc before the events of the unit', async () => {
    const run = await aRun();
    const calls = [aCall(), aCall({ index: 1 })] as const;
    const [{ dispatchId: first }, { dispatchId: second }] = calls;
    const own = [{ dispatchId: first }, { dispatchId: second, stateDelta: { given: 2 } }];
    published.length = 0;

    const answer = await appendTo(
      ground,
      unitOf(run, calls, { sending: [{ state: { given: 1, kept: 1 }, userContent, calls: own }] }),
    );

    expect(answer).toMatchObject({ lastSeq: 1, tickets: [{ dispatchId: first }, { dispatchId: second }] });
    await eventually('the event', () => (published.includes('event') ? true : undefined));
    expect(published.filter((kind) => kind === 'tool' || kind === 'event')).toEqual([
      'tool',
      'tool',
      'event',
    ]);
    const { appName, userId, sessionId, invocationId } = run;
    const whose = { appName, userId, sessionId, invocationId, userContent };
    expect([await messageOf(calls[0]), await messageOf(calls[1])]).toMatchObject([
      { ...whose, call: calls[0], ticket: { attempt: 1 }, state: { given: 1, kept: 1 } },
      { ...whose, call: calls[1], ticket: { attempt: 1 }, state: { given: 2, kept: 1 } },
    ]);
    for (const call of calls) {
      const { ticket } = await messageOf(call);
      expect(isGenuine(SECRET, 'add', ticket)).toBe(true);
      await publishResult(ground, run, ticket);
      await resultOf(runner, call);
    }
  });

  it('are noted as sent, so that no sweep sends them again, unless they have ended by then', async () => {
    const { ended, open } = await oneOfTwoEnded();

    await eventually('the note', async () => ((await isNoted(open)) ? true : undefined));

    expect(await isNoted(ended)).toBe(false);
  });

  it('are sent with what is stored where their unit could not hold the state', async () => {
    const run = await aRun();
    const call = aCall();
    const own = { dispatchId: call.dispatchId, stateDelta: { own: 3 } };

    await appendTo(ground, unitOf(run, [call], { sending: [{ userContent, calls: [own] }] }));

    expect(await messageOf(call)).toMatchObject({ state: { stored: 1, own: 3 }, userContent });
  });

  it('are sent once where their process died after the commit and the unit comes again, as often as it comes', async () => {
    const unit = unitOf(await aRun(), [aCall()]);
    const [call] = unit.calls as [CallRow];
    // Stores, and does nothing of what follows.
    await new AppendBatcher(ground.database.pool, { secret: SECRET, leaseMs: LEASE_MS }).append(unit);

    for (let n = 0; n < 2; n++) expect((await appendTo(ground, unit)).tickets).toHaveLength(1);

    expect(await messageOf(call)).toMatchObject({ state: { given: 1 }, userContent, ticket: { attempt: 1 } });
    const { streams } = await jetstreamManager(ground.connection.nats);
    const before = (await streams.info('TOOLS')).state.messages;
    await appendTo(ground, unit);
    await sentAfterAll();
    const { state } = await streams.info('TOOLS');
    expect(state.messages).toBe(before + 1);
  });

  it('are stored alone where the unit does not name them, or their run is to end as cancelled', async () => {
    const [run, cancelled] = [await aRun(), await aRun()];
    const [left, late] = [aCall(), aCall()];
    const { appName, userId, sessionId, invocationId } = cancelled;
    await cancelInvocation(ground.database.pool, { appName, userId, sessionId, invocationId });

    const answers = [
      await appendTo(ground, unitOf(run, [left], { sending: [] })),
      await appendTo(ground, unitOf(cancelled, [late])),
    ];
    await sentAfterAll();

    expect(answers).toMatchObject([
      { lastSeq: 1, cancelRequested: false },
      { lastSeq: 1, cancelRequested: true },
    ]);
    expect([messagesOf(left), messagesOf(late)]).toEqual([[], []]);
  });

  it('are for whoever asked, with their tickets, where the unit says nothing of sending', async () => {
    const { sending: _sending, ...unit } = unitOf(await aRun(), [aCall()]);
    const [call] = unit.calls as [CallRow];

    const { tickets } = await appendTo(ground, unit);
    await sentAfterAll();

    expect(tickets).toMatchObject([{ dispatchId: call.dispatchId, attempt: 1 }]);
    expect(messagesOf(call)).toEqual([]);
  });

  it('are left to the sweep where their queue takes none; the unit is stored and answered', async () => {
    const unit = unitOf(await aRun(), [aCall()]);
    const [call] = unit.calls as [CallRow];
    const manager = await jetstreamManager(ground.connection.nats);
    await manager.streams.update('TOOLS', { max_msgs: 1 });
    const answer = await appendTo(ground, unit);

    expect(answer).toMatchObject({ lastSeq: 1 });
    await manager.streams.update('TOOLS', { max_msgs: 1_000_000 });
    const sweeping = await ground.startService({ SWEEP_MS: '200' });
    try {
      await eventually('the note', async () => ((await isNoted(call)) ? true : undefined), 20_000);
    } finally {
      await sweeping.stop();
    }
  }, 40_000);
});
