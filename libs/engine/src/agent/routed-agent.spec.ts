import { type Content, type Event } from '@skein/contracts';
import {
  anEvent,
  calls,
  type FakeAnswer,
  FakeLlm,
  partial,
  RecordingJournal,
  runTurn,
  text,
} from '@skein/testing';
import { LongRunningFunctionTool } from '../tool/long-running-function-tool';
import { type BaseAgent } from './base-agent';
import { CustomAgent } from './custom-agent';
import { LlmAgent } from './llm-agent';
import { type AgentRouter, RoutedAgent, type RoutedAgentConfig } from './routed-agent';
import { SequentialAgent } from './sequential-agent';

const away = new Error('away');

function answering(name: string, ...answers: FakeAnswer[]): LlmAgent {
  return new LlmAgent({ name, model: new FakeLlm(answers) });
}

/** The first that did not fail. */
const inOrder: AgentRouter = (agents, _context, failure) =>
  Object.keys(agents).find((key) => !failure?.failedKeys.has(key));

function routed(agents: RoutedAgentConfig['agents'], router: AgentRouter): RoutedAgent {
  return new RoutedAgent({ name: 'desk', agents, router });
}

/** Two agents that answer, and a router with these answers to its first and to each later question. */
function twoAgents(...keys: unknown[]): RoutedAgent {
  const left = [...keys];
  const router = (() => left.shift()) as AgentRouter;
  return routed([answering('a', [text('A')]), answering('b', [text('B')])], router);
}

function outline(events: readonly Event[]): string[] {
  return events.map(({ author, content, actions }) => {
    const part = content?.parts?.[0];
    if (actions.endOfAgent) return `${author} ended`;
    if (actions.agentState) return `${author} at ${JSON.stringify(actions.agentState)}`;
    return `${author}: ${part?.text ?? part?.functionCall?.name ?? part?.functionResponse?.name}`;
  });
}

describe('a RoutedAgent', () => {
  it('runs the agent that its router chose, from the context', async () => {
    const router: AgentRouter = async (_agents, { session, userContent }) =>
      session.state.tier === 'gold' && userContent?.parts?.[0]?.text === 'hi' ? 'best' : 'good';
    const agent = routed({ good: answering('a', [text('A')]), best: answering('b', [text('B')]) }, router);

    const { events } = await runTurn(agent, { stateDelta: { tier: 'gold' } });

    expect(outline(events)).toEqual(['b: B']);
    expect(agent.subAgents.map(({ name, parentAgent }) => [name, parentAgent])).toEqual([
      ['a', agent],
      ['b', agent],
    ]);
  });

  it('goes to the next agent when one fails before it showed anything, and tells the router of it', async () => {
    const router = jest.fn(inOrder);
    const agents = [answering('a', away), answering('b', away), answering('c', [text('C')])];

    const { events, error } = await runTurn(routed(agents, router));

    expect(error).toBeUndefined();
    expect(outline(events)).toEqual(['c: C']);
    expect(router.mock.calls.map(([, , failure]) => [...(failure?.failedKeys ?? [])])).toEqual([
      [],
      ['a'],
      ['a', 'b'],
    ]);
    expect(router.mock.calls[1]?.[2]?.lastError).toMatchObject({ message: 'away' });
  });

  it.each([
    ['a whole answer', [text('half')]],
    ['a piece', [partial(text('ha'))]],
  ])('does not once %s was shown', async (_what, shown) => {
    const weak = new CustomAgent({
      name: 'weak',
      async *run() {
        for (const { content, partial: isPiece } of shown) {
          yield anEvent({ author: 'weak', content, ...(isPiece ? { partial: true } : {}) });
        }
        throw away;
      },
    });
    const router = jest.fn(inOrder);

    const { events, error } = await runTurn(routed([weak, answering('b', [text('B')])], router));

    expect(error).toMatchObject({ message: 'away' });
    expect(events.map(({ author }) => author)).toEqual(['weak', 'weak']);
    expect(router).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['an empty key', ''],
    ['one that is none', 'nobody'],
    ['what every object has', 'constructor'],
    ['no text', 7],
  ])('ends the run with a clear error when the router chose %s', async (_what, key) => {
    const { error, session } = await runTurn(twoAgents(key));

    expect(error).toMatchObject({
      code: 'agent.no-route',
      message: expect.stringMatching(/^The router of agent "desk" chose /),
    });
    const next = await runTurn(twoAgents('b'), { session, invocationId: `e-${'1'.repeat(32)}` });
    expect(outline(next.events)).toEqual(['b: B']);
  });

  it.each([
    ['nothing', undefined],
    ['one that failed already, again and again', 'a'],
  ])('leaves the failure as it is when the router then names %s', async (_what, next) => {
    const agents = [answering('a', away), answering('b', [text('B')])];
    const router = jest.fn<string | undefined, Parameters<AgentRouter>>((_agents, _context, failure) =>
      failure ? next : 'a',
    );

    const { error } = await runTurn(routed(agents, router));

    expect(error).toBe(away);
    expect(router).toHaveBeenCalledTimes(2);
  });

  it('names its router when that threw', async () => {
    const router: AgentRouter = () => {
      throw new TypeError('no such tier');
    };

    const { error } = await runTurn(routed([answering('a', [text('A')])], router));

    expect(error).toMatchObject({
      code: 'agent.no-route',
      message: 'The router of agent "desk" threw TypeError: no such tier',
    });
  });

  it('is ended by a cancel while its router does not settle', async () => {
    const abort = new AbortController();
    const router: AgentRouter = () => {
      abort.abort(new Error('cancelled'));
      return new Promise<string>(() => undefined);
    };

    const { error } = await runTurn(routed([answering('a', [text('A')])], router), { signal: abort.signal });

    expect(error).toMatchObject({ message: 'cancelled' });
  });

  it.each([
    ['no agents', { agents: [], router: inOrder }],
    ['nothing for agents', { agents: undefined, router: inOrder }],
    ['no router', { agents: [answering('a')], router: undefined }],
  ])('is not built with %s', (_what, config) => {
    expect(() => new RoutedAgent({ name: 'desk', ...config } as unknown as RoutedAgentConfig)).toThrow(
      expect.objectContaining({ code: 'agent.no-route' }),
    );
  });

  it('is not built of what is no agent, nor of one agent under two keys', () => {
    const agent = answering('a');

    expect(() => routed([{} as BaseAgent], inOrder)).toThrow('A sub-agent of "desk" is not an agent.');
    expect(() => routed({ one: agent, two: agent }, inOrder)).toThrow('stands twice in the tree');
  });
});

describe('a RoutedAgent that is taken over', () => {
  /** Another choice each time it is asked. */
  function fickle(): jest.Mock<string | undefined, Parameters<AgentRouter>> {
    let asked = 0;
    return jest.fn((agents, _context, failure) => {
      const keys = Object.keys(agents).filter((key) => !failure?.failedKeys.has(key));
      return keys[asked++ % keys.length];
    });
  }

  const tree = (router: AgentRouter, first: FakeAnswer = [text('A')]) =>
    routed([answering('a', first), answering('b', [text('B')]), answering('c', [text('C')])], router);

  it('goes the way that was chosen before, wherever the crash was', async () => {
    const whole = await runTurn(tree(() => 'b'));

    for (const journal of whole.journal.cuts()) {
      const router = jest.fn<string, Parameters<AgentRouter>>(() => 'c');
      const isChosen = journal.stepKeys.includes('0/desk.0/step:route.0');

      const { events, error } = await runTurn(tree(router), { journal });

      expect(error).toBeUndefined();
      expect(outline(events)).toEqual([isChosen ? 'b: B' : 'c: C']);
      expect(router).toHaveBeenCalledTimes(isChosen ? 0 : 1);
    }
  });

  it('goes to the same next agent after a failure, wherever the crash was', async () => {
    const whole = await runTurn(tree(fickle(), away));
    expect(outline(whole.events)).toEqual(['c: C']);

    for (const journal of whole.journal.cuts()) {
      const chosen = journal.stepKeys.filter((key) => key.includes('step:route')).length;
      const router = jest.fn<string, Parameters<AgentRouter>>((_agents, _context, failure) =>
        failure ? 'b' : 'a',
      );

      // By now its model would answer.
      const { events, error } = await runTurn(tree(router, chosen > 0 ? [text('A')] : away), { journal });

      expect(error).toBeUndefined();
      const hasFailed = journal.records.some(({ kind }) => kind === 'failure');
      expect(outline(events)).toEqual([chosen === 2 ? 'c: C' : chosen === 1 && !hasFailed ? 'a: A' : 'b: B']);
      expect(router).toHaveBeenCalledTimes(2 - chosen - (chosen === 1 && !hasFailed ? 1 : 0));
    }
  });

  it('says that it goes another way when the chosen agent is there no longer', async () => {
    const { journal } = await runTurn(tree(() => 'b'));

    const { error } = await runTurn(routed([answering('a', [text('A')])], inOrder), {
      journal: journal.cutAfter(1, 1),
    });

    expect(error).toMatchObject({ code: 'REPLAY_DIVERGED', message: expect.stringContaining('"b"') });
  });

  it('leaves a failure as it was once a piece was shown, though pieces are not shown again', async () => {
    const weak = (...pieces: string[]) =>
      new CustomAgent({
        name: 'weak',
        async *run() {
          for (const piece of pieces) yield anEvent({ author: 'weak', ...partial(text(piece)) });
          throw away;
        },
      });
    const tree = (first: BaseAgent) => routed([first, answering('b', [text('B')])], inOrder);
    const whole = await runTurn(tree(weak('ha')));

    const { error } = await runTurn(tree(weak()), {
      journal: whole.journal.cutAfter(1, whole.journal.records.length),
    });

    expect([whole.error, error]).toEqual(Array(2).fill(expect.objectContaining({ message: 'away' })));
  });
});

describe('a RoutedAgent of a resumable app (B54)', () => {
  const asking = (name: string) => {
    const ask = new LongRunningFunctionTool({ name: 'ask', description: 'Asks.', execute: () => undefined });
    const model = new FakeLlm([[calls({ id: 'call_1', name: 'ask' })], [text('done')]]);
    return new LlmAgent({ name, model, tools: [ask] });
  };
  const answer: Content = {
    role: 'user',
    parts: [{ functionResponse: { id: 'call_1', name: 'ask', response: { answer: 42 } } }],
  };

  it('goes on with the agent that waited, whatever its router would choose now', async () => {
    const tree = (router: AgentRouter) => ({
      rootAgent: routed([asking('a'), answering('b', [text('B')])], router),
      resumabilityConfig: { isResumable: true },
    });

    const paused = await runTurn(tree(() => 'a'));
    const router = jest.fn<string, Parameters<AgentRouter>>(() => 'b');
    const resumed = await runTurn(tree(router), {
      session: paused.session,
      said: answer,
      segment: 1,
      journal: new RecordingJournal(),
    });

    expect(outline(paused.events)).toEqual(['desk at {"currentSubAgent":"a"}', 'a: ask']);
    expect(outline(resumed.events)).toEqual([
      'desk at {"currentSubAgent":"a"}',
      'a: done',
      'a ended',
      'desk ended',
    ]);
    expect(router).not.toHaveBeenCalled();
  });

  it('goes to the next agent when a workflow failed that only noted where it stood', async () => {
    const weak = new SequentialAgent({ name: 'weak', subAgents: [answering('a', away)] });
    const rootAgent = routed([weak, answering('b', [text('B')])], inOrder);

    const { events, error } = await runTurn({ rootAgent, resumabilityConfig: { isResumable: true } });

    expect(error).toBeUndefined();
    expect(outline(events)).toEqual([
      'desk at {"currentSubAgent":"weak"}',
      'weak at {"currentSubAgent":"a"}',
      'desk at {"currentSubAgent":"b"}',
      'b: B',
      'b ended',
      'desk ended',
    ]);
  });

  it('does not once an agent of a workflow spoke', async () => {
    const subAgents = [answering('a', [text('A')]), answering('c', away)];
    const weak = new SequentialAgent({ name: 'weak', subAgents });
    const rootAgent = routed([weak, answering('b', [text('B')])], inOrder);

    const { events, error } = await runTurn({ rootAgent, resumabilityConfig: { isResumable: true } });

    expect(error).toBe(away);
    expect(outline(events)).not.toContain('b: B');
  });
});
