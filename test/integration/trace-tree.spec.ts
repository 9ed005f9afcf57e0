import { type ReceivedSpan } from '../support/otlp-receiver';
import { runStory, type Story, unknownParents } from '../trace/story';
import { essential, treeOf } from '../trace/tree';

describe('the trace of a run of several agents, through the death of a worker and of a runner', () => {
  let story: Story;

  beforeAll(async () => {
    story = await runStory();
  }, 120_000);
  afterAll(() => story?.close(), 60_000);

  const named = (name: string): ReceivedSpan[] => story.spans.filter((span) => span.name === name);

  it('is one tree: what each service did for it stands below what asked for it', () => {
    expect(story.answer).toBe('Have a good journey.');
    expect(treeOf(essential(story.spans))).toMatchInlineSnapshot(`
     [
       "POST /run_sse [server gateway]",
       "  rpc.session.submit [client gateway]",
       "    rpc.session.submit [server session-svc]",
       "      invocation [internal runner]",
       "        invoke_agent journey [internal runner]",
       "          invoke_agent clerk [internal runner]",
       "            call_llm [internal runner]",
       "              generate_content scripted [internal runner]",
       "            call_llm [internal runner]",
       "              generate_content scripted [internal runner]",
       "            call_llm [internal runner]",
       "              generate_content scripted [internal runner]",
       "            execute_tool pay [internal runner]",
       "              tool publish [producer session-svc]",
       "                tool process [consumer tool-worker]",
       "                  run_tool pay [internal tool-worker]",
       "            execute_tool reserve [internal runner]",
       "              tool process [consumer tool-worker] → tool publish of session-svc",
       "                rpc.call.again [client tool-worker]",
       "                  rpc.call.again [server session-svc]",
       "                run_tool reserve [internal tool-worker]",
       "              tool publish [producer session-svc]",
       "          invoke_agent research [internal runner]",
       "            invoke_agent hotels [internal runner]",
       "              call_llm [internal runner]",
       "                generate_content gemini-2.5-flash [internal runner]",
       "                  POST [client runner]",
       "              call_llm [internal runner]",
       "                generate_content gemini-2.5-flash [internal runner]",
       "                  POST [client runner]",
       "              execute_tool find_rooms [internal runner]",
       "                tool publish [producer session-svc]",
       "                  tool process [consumer tool-worker]",
       "                    run_tool find_rooms [internal tool-worker]",
       "            invoke_agent trains [internal runner]",
       "              call_llm [internal runner]",
       "                generate_content scripted [internal runner]",
       "              call_llm [internal runner]",
       "                generate_content scripted [internal runner]",
       "              execute_tool (merged) [internal runner]",
       "              execute_tool find_fares [internal runner]",
       "                tool publish [producer session-svc]",
       "                  tool process [consumer tool-worker]",
       "                    run_tool find_fares [internal tool-worker]",
       "              execute_tool find_trains [internal runner]",
       "                tool publish [producer session-svc]",
       "                  tool process [consumer tool-worker]",
       "                    run_tool find_trains [internal tool-worker]",
     ]
    `);
  });

  it('has one root, and knows the parent of every span, also of those below what died', () => {
    expect(story.spans.filter(({ parentSpanId }) => !parentSpanId).map(({ name }) => name)).toEqual([
      'POST /run_sse',
    ]);
    expect(unknownParents(story.spans)).toEqual([]);
    expect(new Set(story.spans.map(({ spanId }) => spanId)).size).toBe(story.spans.length);
  });

  it('is told by several runners and workers: the two that were there, and whoever came after the dead', () => {
    const instancesOf = (service: string): number =>
      new Set(story.spans.filter((span) => span.service === service).map(({ instance }) => instance)).size;

    expect(instancesOf('skein-runner')).toBeGreaterThanOrEqual(2);
    expect(instancesOf('skein-tool-worker')).toBeGreaterThanOrEqual(2);
  });

  it('stores each unit of the run by a statement below the append, or with another link to it', () => {
    const appends = named('append');
    expect(appends.length).toBeGreaterThanOrEqual(8);
    for (const append of appends) {
      const [request] = story.spans.filter(({ parentSpanId }) => parentSpanId === append.spanId);
      const [answer] = story.spans.filter(({ parentSpanId }) => parentSpanId === request?.spanId);
      expect(request).toMatchObject({ name: 'rpc.session.append', kind: 'client', service: 'skein-runner' });
      expect(answer).toMatchObject({ kind: 'server', service: 'skein-session-svc' });
      const statements = story.spans.filter(
        ({ parentSpanId, name }) =>
          parentSpanId === answer?.spanId && name.startsWith('pg.query:append-units'),
      );
      expect(statements.length + (answer?.links.length ?? 0)).toBe(1);
    }
  });

  it('has the call of the dead worker taken up beside its first delivery, and linked to what sent it', () => {
    const [call] = named('execute_tool reserve');
    const below = story.spans.filter(({ parentSpanId }) => parentSpanId === call?.spanId);
    const sent = below.find(({ name }) => name === 'tool publish');
    const again = below.find(({ name }) => name === 'tool process');

    expect(again?.links).toEqual([{ traceId: sent?.traceId, spanId: sent?.spanId }]);
    expect(again?.attributes).toMatchObject({ 'skein.queue.started_before': 1 });
  });

  it('has each result given to the runner that waits for it, and to the queue where nobody says that it is stored', () => {
    const runs = named('tool process').filter(({ spanId }) =>
      story.spans.some(({ parentSpanId, name }) => parentSpanId === spanId && name.startsWith('run_tool')),
    );

    expect(runs.length).toBeGreaterThanOrEqual(5);
    for (const run of runs) {
      const below = story.spans.filter(({ parentSpanId }) => parentSpanId === run.spanId);
      const [asked] = below.filter(({ name, kind }) => name === 'answer' && kind === 'client');
      expect(asked?.service).toBe('skein-tool-worker');
      const queued = below.filter(({ name }) => name === 'result publish');
      if (asked?.error !== undefined) expect(queued).toHaveLength(1);
    }
  });

  it('has the run taken over under the request, linked to the hand-over that brought it', () => {
    const [run] = named('invocation');
    const [submit] = named('rpc.session.submit').filter(({ kind }) => kind === 'server');
    const handOver = story.spans.find(({ spanId }) => spanId === run?.links[0]?.spanId);

    expect(run?.parentSpanId).toBe(submit?.spanId);
    expect(handOver).toMatchObject({ service: 'skein-runner', instance: run?.instance });
    expect(handOver?.startMs).toBeGreaterThan(run?.startMs ?? Infinity);
    // It goes on with what the first runner began, and began when that did.
    const [first] = named('call_llm');
    expect(first?.instance).not.toBe(run?.instance);
    expect(run?.startMs).toBeLessThanOrEqual(first?.startMs ?? 0);
  });

  it('names models, tools and agents as ADK does, and the events they led to', () => {
    const [gemini] = named('generate_content gemini-2.5-flash');
    const asked = story.spans.find(({ spanId }) => spanId === gemini?.parentSpanId);

    expect(asked?.attributes).toMatchObject({
      'gen_ai.request.model': 'gemini-2.5-flash',
      'gen_ai.usage.input_tokens': 61,
      'gen_ai.usage.output_tokens': 9,
      'gen_ai.response.finish_reasons': ['stop'],
      'gcp.vertex.agent.invocation_id': story.invocationId,
      'gcp.vertex.agent.llm_request': '{}',
    });
    const scopes = story.spans
      .filter(({ name }) => /^(invocation|invoke_agent|call_llm|generate_content|execute_tool)/.test(name))
      .map(({ scope }) => scope);
    expect(new Set(scopes)).toEqual(new Set(['gcp.vertex.agent']));
  });
});
