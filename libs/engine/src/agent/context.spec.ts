import { aSession, calls, FakeLlm, runTurn, text } from '@skein/testing';
import { type SaveArtifact } from '../artifact/artifact-service';
import { InMemoryArtifactService } from '../artifact/in-memory-artifact-service';
import { createEventActions } from '../event/create-event';
import { InMemoryMemoryService } from '../memory/in-memory-memory-service';
import { type State } from '../state/state';
import { FunctionTool } from '../tool/function-tool';
import { Context, type ContextOptions } from './context';
import { ReadonlyContext } from './readonly-context';
import { type ContextScope } from './context-scope';
import { LlmAgent } from './llm-agent';

function aScope(scope: Partial<ContextScope> = {}): ContextScope {
  const signal = new AbortController().signal;
  return {
    invocationId: 'e-1',
    agentName: 'root',
    session: aSession({ state: { mood: 'good' } }),
    signal,
    ...scope,
  };
}

function aContext(scope: Partial<ContextScope> = {}, options: ContextOptions = {}): Context {
  return new Context(aScope(scope), options);
}

describe('what an instruction provider sees', () => {
  it('is who asks whom, and state it cannot write', () => {
    const context = new ReadonlyContext(aScope({ userContent: { parts: [{ text: 'hi' }] } }));

    expect([
      context.appName,
      context.userId,
      context.sessionId,
      context.agentName,
      context.invocationId,
    ]).toEqual(['app', 'u', 's', 'root', 'e-1']);
    expect(context.userContent).toEqual({ parts: [{ text: 'hi' }] });
    expect(context.state.get('mood')).toBe('good');
    // What it would write all the same is gone at once.
    (context.state as State).set('mood', 'bad');
    expect(context.state.get('mood')).toBe('good');
  });
});

describe('what a tool or a callback sees', () => {
  it('writes state into the actions of its event', () => {
    const actions = createEventActions();
    const context = aContext({}, { actions, functionCallId: 'c', idempotencyKey: 'd-1' });

    context.state.set('mood', 'better');

    expect(actions.stateDelta).toEqual({ mood: 'better' });
    expect([context.functionCallId, context.idempotencyKey, context.eventActions]).toEqual([
      'c',
      'd-1',
      actions,
    ]);
  });

  it('saves, loads and lists artifacts, and notes each version on its event (B60)', async () => {
    const context = aContext({ artifactService: new InMemoryArtifactService() });

    await context.saveArtifact('a.txt', { text: 'one' });
    await context.saveArtifact('a.txt', { text: 'two' });
    await context.saveArtifact('user:b.txt', { text: 'mine' });

    expect(context.actions.artifactDelta).toEqual({ 'a.txt': 1, 'user:b.txt': 0 });
    expect(await context.loadArtifact('a.txt')).toEqual({ text: 'two' });
    expect(await context.loadArtifact('a.txt', 0)).toEqual({ text: 'one' });
    expect(await context.listArtifacts()).toEqual(['a.txt', 'user:b.txt']);
  });

  it('names each save of a call, the same on every attempt of it', async () => {
    const names: (string | undefined)[] = [];
    class NotingArtifactService extends InMemoryArtifactService {
      override saveArtifact(request: SaveArtifact): Promise<number> {
        names.push(request.saveKey);
        return super.saveArtifact(request);
      }
    }
    const artifactService = new NotingArtifactService();

    for (const idempotencyKey of ['d-1', 'd-1', undefined]) {
      const context = aContext({ artifactService }, idempotencyKey === undefined ? {} : { idempotencyKey });
      for (const filename of ['a', 'b', 'a']) await context.saveArtifact(filename, { text: 'x' });
    }

    const attempt = ['d-1/0/a', 'd-1/0/b', 'd-1/1/a'];
    expect(names).toEqual([...attempt, ...attempt, undefined, undefined, undefined]);
  });

  it("searches the memory of its user's earlier sessions (B61)", async () => {
    const memoryService = new InMemoryMemoryService();
    const said = { role: 'user', parts: [{ text: 'I like tea' }] };
    const event = {
      id: '1',
      invocationId: 'e-0',
      author: 'user',
      timestamp: 1,
      content: said,
      actions: createEventActions(),
    };
    await memoryService.addSessionToMemory(aSession({ id: 'earlier', events: [event] }));
    const context = aContext({ memoryService });

    expect((await context.searchMemory('tea?')).memories).toMatchObject([{ author: 'user', content: said }]);
    expect((await context.searchMemory('coffee')).memories).toEqual([]);
  });

  it('tells when there is nothing to keep artifacts or memories', async () => {
    await expect(aContext().listArtifacts()).rejects.toMatchObject({ code: 'artifact.no-service' });
    await expect(aContext().searchMemory('x')).rejects.toMatchObject({ code: 'memory.no-service' });
  });

  it('asks a human about its own call, and only a tool has one', () => {
    const context = aContext({}, { functionCallId: 'c' });

    context.requestConfirmation({ hint: 'Sure?', payload: { n: 1 } });

    expect(context.actions.requestedToolConfirmations).toEqual({
      c: { hint: 'Sure?', confirmed: false, payload: { n: 1 } },
    });
    expect(() => aContext().requestConfirmation()).toThrow('requestConfirmation is for tools');
    expect(() => aContext().requestCredential({ authScheme: {}, credentialKey: 'k' })).toThrow(
      'is for tools',
    );
  });

  it('ends with its tool round, before the run does', () => {
    const round = new AbortController();
    const context = aContext({}, { signal: round.signal });

    round.abort();

    expect([context.signal.aborted, context.abortSignal.aborted]).toEqual([true, true]);
  });
});

describe('the run that a context belongs to', () => {
  it('is reached from callbacks and inline tools, by the names of @google/adk', async () => {
    const seen: unknown[] = [];
    const look = ({ invocationContext }: Context): undefined => {
      const { appName, userId, abortSignal, pluginManager, signal } = invocationContext;
      seen.push([appName, userId, abortSignal === signal, pluginManager.plugins]);
      invocationContext.incrementLlmCallCount();
    };
    const tool = new FunctionTool({
      name: 'look',
      description: 'Looks.',
      placement: 'inline',
      execute: (_args, context) => look(context),
    });
    const model = new FakeLlm([[calls({ name: 'look', args: {} })], [text('Done.')]]);
    const agent = new LlmAgent({ name: 'root', model, tools: [tool], beforeAgentCallback: look });

    const limited = await runTurn(agent, { runConfig: { maxLlmCalls: 3 } });

    expect(limited.error).toMatchObject({ name: 'LlmCallsLimitExceededError' });
    expect(seen).toEqual([
      ['app', 'u', true, []],
      ['app', 'u', true, []],
    ]);
  });

  it('is not in a tool worker, nor where a test stands for one', async () => {
    const tool = new FunctionTool({
      name: 'look',
      description: 'Looks.',
      execute: (_args, { invocationContext }) => invocationContext.appName,
    });
    const model = new FakeLlm([[calls({ name: 'look', args: {} })], [text('Done.')]]);

    const { events } = await runTurn(new LlmAgent({ name: 'root', model, tools: [tool] }));

    expect(JSON.stringify(events[1])).toContain("placement: 'inline'");
    expect(() => aContext().invocationContext).toThrow(
      expect.objectContaining({ code: 'context.no-invocation' }),
    );
  });
});
