import { type AgentLoader } from '@skein/agent-loader';
import { AdkError, type Appended, type AppendUnit, type Release } from '@skein/contracts';
import {
  App,
  type BaseAgent,
  FunctionTool,
  InMemoryArtifactService,
  InMemoryMemoryService,
  LlmAgent,
} from '@skein/engine';
import { type MessagingConnection } from '@skein/messaging';
import { type Logger, silentLogger } from '@skein/platform';
import { SessionRpc } from '@skein/session-client';
import { calls, FakeLlm, partial, text } from '@skein/testing';
import { aHandover, appendedFor, aResult, INVOCATION } from '../../test/builders';
import { ActiveRun } from './active-run';
import { runHandover } from './run-handover';
import { SessionCache } from './session-cache';

/** A session-svc that stores everything, unless told to refuse. */
class FakeSessionSvc extends SessionRpc {
  readonly sent: AppendUnit[] = [];
  readonly released: Release[] = [];
  /** The unit with it, and its id. */
  readonly firstCall: Promise<readonly [AppendUnit, string]>;
  #called: (call: readonly [AppendUnit, string]) => void = () => undefined;
  refusal: Error | undefined;

  constructor() {
    // Every verb used is overridden below.
    super(undefined as never);
    this.firstCall = new Promise((resolve) => (this.#called = resolve));
  }

  override async append(unit: AppendUnit): Promise<Appended> {
    this.sent.push(structuredClone(unit));
    const [call] = unit.calls;
    if (call) this.#called([unit, call.dispatchId]);
    if (this.refusal) throw this.refusal;
    return appendedFor(unit);
  }

  override async events(): Promise<never> {
    throw new AdkError('deadline', 'rpc.timeout', 'session-svc did not answer in time');
  }

  override async release(release: Release): Promise<void> {
    this.released.push(release);
  }
}

/** A runner on a connection that can publish nothing; `warned` settles with its first warning. */
function aRunner(rootAgent: BaseAgent) {
  let warn: Logger['warn'] = () => undefined;
  const warned = new Promise<string>((resolve) => (warn = (_fields, message) => resolve(message)));
  const logger: Logger = { ...silentLogger, warn, child: () => logger };
  const rpc = new FakeSessionSvc();
  const app = new App({ name: 'app', rootAgent });
  const isConnected = (): boolean => true;
  const encode = () => Promise.reject(new AdkError('unavailable', 'payload.store', 'the disk is full'));
  const ports = {
    runnerId: 'runner-1',
    rpc,
    // As much of each as a run uses.
    connection: { isConnected, codec: { encode }, logger } as unknown as MessagingConnection,
    agents: { load: async (name: string) => ({ name, rootAgent, app }) } as unknown as AgentLoader,
    artifacts: new InMemoryArtifactService(),
    memory: new InMemoryMemoryService(),
    cache: new SessionCache(1_000_000),
    logger,
  };
  return { ports, rpc, warned };
}

const said = { role: 'user', parts: [{ text: 'hi' }] };

function aRun(streamingMode: 'none' | 'sse' = 'none'): ActiveRun {
  const runConfig = { streamingMode, maxLlmCalls: 500 };
  return new ActiveRun(aHandover({ input: { ordinal: 0, newMessage: said, runConfig } }));
}

describe('runHandover', () => {
  it('publishes no call: its unit says what session-svc sends it with, and its result comes', async () => {
    const model = new FakeLlm([[calls({ name: 'weather', args: {} })], [text('It is sunny.')]]);
    const weather = new FunctionTool({ name: 'weather', description: 'Tells it.', execute: () => 'sunny' });
    const { ports, rpc } = aRunner(new LlmAgent({ name: 'agent', model, tools: [weather] }));
    const run = aRun();

    const ended = runHandover(run, ports);
    const [unit, dispatchId] = await rpc.firstCall;
    expect(run.pendingCalls.settle(aResult(dispatchId))).toBe('first');
    await ended;

    expect(unit.sending).toMatchObject([{ state: {}, userContent: said, calls: [{ dispatchId }] }]);
    expect(rpc.sent.at(-1)).toMatchObject({ finish: { status: 'completed' } });
  });

  it('goes on when a chunk cannot be published: the whole event follows', async () => {
    const model = new FakeLlm([[partial(text('It is')), text('It is sunny.')]]);
    const { ports, rpc, warned } = aRunner(new LlmAgent({ name: 'agent', model }));

    await runHandover(aRun('sse'), ports);

    expect(await warned).toBe('chunk left out');
    expect(rpc.sent.at(-1)).toMatchObject({ finish: { status: 'completed' } });
  });

  it('ends a segment as waiting when a long-running call is left without an answer (B54)', async () => {
    const ask = new FunctionTool({
      name: 'ask',
      description: 'Asks a human.',
      isLongRunning: true,
      placement: 'inline',
      execute: () => undefined,
    });
    const model = new FakeLlm([[calls({ name: 'ask', args: {} })], [text('I asked.')]]);
    const { ports, rpc } = aRunner(new LlmAgent({ name: 'agent', model, tools: [ask] }));

    await runHandover(aRun(), ports);

    expect(rpc.sent.at(-1)).toMatchObject({ segment: 0, finish: { status: 'waiting' } });
  });

  it('ends a segment it refuses as one that was never begun: nothing stored, nothing asked (B54)', async () => {
    const model = new FakeLlm([[text('never')]]);
    const { ports, rpc } = aRunner(new LlmAgent({ name: 'agent', model }));

    await runHandover(new ActiveRun(aHandover({ segment: 1 })), ports);

    expect(rpc.sent).toMatchObject([
      { events: [], finish: { status: 'failed', isRefusal: true, error: { code: 'run.not-resumable' } } },
    ]);
    expect(model.requests).toEqual([]);
  });

  it('stores how the run failed', async () => {
    const { ports, rpc } = aRunner(new LlmAgent({ name: 'agent', model: new FakeLlm([]) }));
    jest
      .spyOn(ports.agents, 'load')
      .mockRejectedValue(new AdkError('invalid', 'agent.load-failed', 'agent.ts:1: broken'));

    await runHandover(aRun(), ports);

    expect(rpc.sent.at(-1)).toMatchObject({
      finish: { status: 'failed', error: { code: 'agent.load-failed', message: 'agent.ts:1: broken' } },
    });
  });

  it('gives back a run whose session it could not read in time', async () => {
    const { ports, rpc } = aRunner(new LlmAgent({ name: 'agent', model: new FakeLlm([]) }));

    await runHandover(new ActiveRun(aHandover({ baseSeq: 4, lastSeq: 4, fromSeq: 4 })), ports);

    expect(rpc.released).toEqual([{ runnerId: 'runner-1', invocationId: INVOCATION, epoch: 1 }]);
  });

  it('lets the lease of a run lapse that cannot be stored at all, so that its attempts are counted', async () => {
    const { ports, rpc } = aRunner(new LlmAgent({ name: 'agent', model: new FakeLlm([[text('hello')]]) }));
    rpc.refusal = new AdkError('internal', 'internal.unexpected', 'the store is broken');

    await runHandover(aRun(), ports);

    expect(rpc.released).toEqual([]);
  });

  it('leaves a fenced run alone: it is another runner’s by now', async () => {
    const { ports, rpc } = aRunner(new LlmAgent({ name: 'agent', model: new FakeLlm([[text('hello')]]) }));
    rpc.refusal = new AdkError('conflict', 'append.fenced', 'another runner owns the session');

    await runHandover(aRun(), ports);

    expect(rpc.released).toEqual([]);
    expect(rpc.sent.some(({ finish }) => finish?.status === 'failed')).toBe(false);
  });
});
