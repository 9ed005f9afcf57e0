import { type AgentLoader } from '@skein/agent-loader';
import { AdkError, type Appended, type AppendUnit, type Handover, subjects } from '@skein/contracts';
import { App, FunctionTool, InMemoryArtifactService, InMemoryMemoryService, LlmAgent } from '@skein/engine';
import { type MessagingConnection } from '@skein/messaging';
import { silentLogger } from '@skein/platform';
import { SessionRpc } from '@skein/session-client';
import { anEvent, calls, FakeLlm, text } from '@skein/testing';
import { aHandover, appendedFor, gate, INVOCATION } from '../../test/builders';
import { ActiveRun } from './active-run';
import { runHandover } from './run-handover';
import { SessionCache } from './session-cache';

const end = { errorCode: 'invocation.cancelled' };
const said = { role: 'user', parts: [{ text: 'hi' }] };
const runConfig = { streamingMode: 'none', maxLlmCalls: 500 } as const;

/** A session-svc that stores what `answer` does not refuse. */
class FakeSessionSvc extends SessionRpc {
  readonly sent: AppendUnit[] = [];
  answer: (unit: AppendUnit) => Promise<Appended> = async (unit) => appendedFor(unit);

  constructor() {
    // Every verb used is overridden below.
    super(undefined as never);
  }

  override async append(unit: AppendUnit): Promise<Appended> {
    const appended = await this.answer(unit);
    this.sent.push(structuredClone(unit));
    return appended;
  }

  override async events(): Promise<never> {
    throw new AdkError('deadline', 'rpc.timeout', 'session-svc did not answer in time');
  }
}

function aRunner(model: FakeLlm) {
  const rpc = new FakeSessionSvc();
  const published: string[] = [];
  const begun = gate();
  const slow = new FunctionTool({
    name: 'slow',
    description: 'Takes for ever.',
    placement: 'inline',
    execute: () => {
      begun.open();
      return new Promise(() => undefined);
    },
  });
  const app = new App({ name: 'app', rootAgent: new LlmAgent({ name: 'agent', model, tools: [slow] }) });
  // As much of each as a run uses.
  const connection = {
    isConnected: () => true,
    codec: { encode: async () => ({ body: new Uint8Array(), headers: {} }) },
    nats: { publish: (subject: string) => void published.push(subject) },
    logger: silentLogger,
  };
  const ports = {
    runnerId: 'runner-1',
    rpc,
    connection: connection as unknown as MessagingConnection,
    agents: { load: async () => ({ app }) } as unknown as AgentLoader,
    artifacts: new InMemoryArtifactService(),
    memory: new InMemoryMemoryService(),
    cache: new SessionCache(1_000_000),
    logger: silentLogger,
  };
  return { ports, rpc, begun, published };
}

function aRun(over: Partial<Handover> = {}): ActiveRun {
  return new ActiveRun(aHandover({ input: { ordinal: 0, newMessage: said, runConfig }, ...over }));
}

/** All that was stored, and how the last unit ended the run. */
function stored({ sent }: FakeSessionSvc) {
  return {
    events: sent.flatMap(({ events }) => events.map(({ event }) => event)),
    finish: sent.at(-1)?.finish,
  };
}

const callOfSlow = calls({ id: 'c1', name: 'slow', args: {} });

describe('row 40: a run that is cancelled', () => {
  it('while a tool runs answers the call and ends, in one unit', async () => {
    const { ports, rpc, begun } = aRunner(new FakeLlm([[callOfSlow]]));
    const run = aRun();

    const ended = runHandover(run, ports);
    await begun.opened;
    run.cancel();
    run.cancel();
    await ended;

    const { events, finish } = stored(rpc);
    expect(finish).toEqual({ status: 'cancelled' });
    expect(rpc.sent.at(-1)?.events).toHaveLength(2);
    expect(events).toMatchObject([
      { author: 'user' },
      callOfSlow,
      { content: { parts: [{ functionResponse: { id: 'c1' } }] } },
      end,
    ]);
  });

  it('before it began asks no model, and keeps what the user said', async () => {
    const model = new FakeLlm([[text('never')]]);
    const { ports, rpc } = aRunner(model);
    const run = aRun();
    run.cancel();

    await runHandover(run, ports);

    expect(stored(rpc)).toMatchObject({ events: [{ author: 'user' }, end], finish: { status: 'cancelled' } });
    expect(model.requests).toEqual([]);
  });

  it('is told so by the answer to its own append', async () => {
    const model = new FakeLlm([[callOfSlow], [text('never')]]);
    const { ports, rpc } = aRunner(model);
    rpc.answer = async (unit) => ({ ...appendedFor(unit), cancelRequested: true });

    await runHandover(aRun(), ports);

    expect(stored(rpc)).toMatchObject({ finish: { status: 'cancelled' } });
    expect(stored(rpc).events.at(-1)).toMatchObject(end);
    expect(model.requests.length).toBeLessThan(2);
  });

  it('while it stores its end keeps what it said, and ends as cancelled', async () => {
    const { ports, rpc } = aRunner(new FakeLlm([[text('the answer')]]));
    rpc.answer = async (unit) => {
      if (unit.finish && unit.finish.status !== 'cancelled') {
        throw new AdkError('conflict', 'append.cancel-requested', 'The invocation is to end as cancelled.');
      }
      return appendedFor(unit);
    };

    await runHandover(aRun(), ports);

    expect(stored(rpc)).toMatchObject({
      events: [{ author: 'user' }, text('the answer'), end],
      finish: { status: 'cancelled' },
    });
  });

  it('after it was taken over answers calls it has not come past yet', async () => {
    const { ports, rpc } = aRunner(new FakeLlm([[text('never')]]));
    const earlier = [
      {
        seq: 1,
        stepKey: '0/user.0',
        event: anEvent({ invocationId: INVOCATION, author: 'user', content: said }),
      },
      {
        seq: 2,
        stepKey: '0/agent.0/model.0',
        event: anEvent({ invocationId: INVOCATION, author: 'agent', content: callOfSlow.content }),
      },
    ];
    const run = aRun({ lastSeq: 2, events: earlier, attempt: 2 });
    run.cancel();

    await runHandover(run, ports);

    expect(stored(rpc).events).toMatchObject([
      { author: 'agent', content: { parts: [{ functionResponse: { id: 'c1' } }] } },
      end,
    ]);
  });

  it('tells workers that nobody waits for its calls', async () => {
    const { ports, published } = aRunner(new FakeLlm([]));
    const run = aRun();
    run.cancel();

    await runHandover(run, ports);

    expect(published).toEqual([subjects.cancelledCalls]);
  });

  it('is left alone once its lease is another’s', async () => {
    const { ports, rpc, begun } = aRunner(new FakeLlm([[callOfSlow]]));
    const run = aRun();

    const ended = runHandover(run, ports);
    await begun.opened;
    run.stop('its lease is lost');
    run.cancel();
    await ended;

    expect(stored(rpc).finish).toBeUndefined();
  });
});
