import { type Event } from '@skein/contracts';
import { Client } from '../support/client';
import { Skein } from '../support/skein';

const ISOLATIONS = ['inline', 'thread', 'process'] as const;

/** The same app three times: only where its tools run differs. */
function agentWith(isolation: string): string {
  return `
import { setTimeout as pause } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';

const textOf = (part) => part && (part.text ?? Buffer.from(part.inlineData.data, 'base64').toString());
const does = {
  place: () => (process.argv[1].endsWith('process-main.js') ? 'process' : isMainThread ? 'inline' : 'thread'),
  identity: (_args, ctx) => ({
    ...{ app: ctx.appName, user: ctx.userId, session: ctx.sessionId, agent: ctx.agentName },
    key: ctx.idempotencyKey, call: ctx.functionCallId, invocation: ctx.invocationId,
    said: ctx.userContent.parts[0].text,
  }),
  count: (_args, { state }) => {
    const before = state.get('count') ?? 0;
    state.set('count', before + 1);
    state.set('user:seen', true);
    return { before };
  },
  artifacts: async (_args, ctx) => {
    const first = await ctx.saveArtifact('a.txt', { text: 'one' });
    const second = await ctx.saveArtifact('a.txt', { text: 'two' });
    return {
      versions: [first, second], names: await ctx.listArtifacts(),
      texts: [textOf(await ctx.loadArtifact('a.txt', first)), textOf(await ctx.loadArtifact('a.txt'))],
      missing: (await ctx.loadArtifact('none.txt')) === undefined,
    };
  },
  refused: async (_args, ctx) => ctx.saveArtifact('../etc/passwd', { text: 'x' }).catch(({ code, kind, message }) => ({ code, kind, message })),
  recall: async (_args, ctx) => ({ said: (await ctx.searchMemory('bern')).memories.map(({ content }) => content.parts[0].text) }),
  skip: (_args, ctx) => { ctx.actions.skipSummarization = true; return 'as it is'; },
  throws: (_args, { state }) => { state.set('tried', true); throw new TypeError('cannot do that'); },
  cycle: () => { const it = {}; it.self = it; return it; },
  unsaid: (_args, { state }) => { state.set('fine', 1); state.set('cart', new Map([['a', 1]])); return 'ok'; },
  cleared: (_args, { state }) => { state.set('left', undefined); return 'ok'; },
  yields: async function* () { yield { step: 1 }; yield { step: 2 }; return 'all'; },
  large: () => 'x'.repeat(1_500_000),
  tells: async (_args, ctx) => { for (const step of [1, 2]) { ctx.progress({ step }); ctx.heartbeat(); await pause(120); } return 'told'; },
};
const tools = Object.entries(does).map(([name, execute]) => new FunctionTool({
  name, description: name, execute, isolation: '${isolation}',
  ...(name === 'skip' ? { actions: ['skipSummarization'] } : {}),
}));

export const rootAgent = new LlmAgent({
  name: 'root',
  tools,
  model: new ScriptedLlm({ rules: [
    { when: /^call (\\w+)$/, respond: (match) => ({ content: { role: 'model', parts: [{ functionCall: { name: match[1], args: {} } }] } }) },
    { when: /.*/, respond: () => 'Done.' },
  ] }),
});
`;
}

/**
 * What a tool does through its context, and what comes of it, wherever it runs: the tests below are the contract, held against
 * each isolation over real services.
 */
describe('the context of a tool', () => {
  let skein: Skein;

  beforeAll(async () => {
    skein = await Skein.start({
      agents: Object.fromEntries(ISOLATIONS.map((isolation) => [isolation, agentWith(isolation)])),
      env: { TOOL_WORKERS: '1', RUNNERS: '1' },
    });
  }, 180_000);

  afterAll(() => skein?.stop(), 60_000);

  describe.each(ISOLATIONS)('where it runs: %s', (isolation) => {
    let client: Client;
    let sessions = 0;

    beforeAll(() => {
      client = new Client(skein.url, isolation);
    });

    async function call(tool: string, sessionId?: string): Promise<{ answered: Event; response: unknown }> {
      const id = sessionId ?? `s${++sessions}`;
      if (sessionId === undefined) await client.createSession(id);
      const { status, body } = await client.run(id, `call ${tool}`);
      expect(status).toBe(200);
      const answered = body.find(({ content }) => content?.parts?.[0]?.functionResponse);
      if (!answered) throw new Error('the call was not answered');
      return { answered, response: answered.content?.parts?.[0]?.functionResponse?.response };
    }

    it('is there, and nowhere else', async () => {
      expect((await call('place')).response).toEqual({ result: isolation });
    }, 60_000);

    it('knows whose call it is, and what the user said', async () => {
      const { answered, response } = await call('identity');

      expect(response).toEqual({
        ...{ app: isolation, user: 'ada', session: `s${sessions}`, agent: 'root', said: 'call identity' },
        key: expect.stringMatching(/^d-/) as string,
        call: answered.content?.parts?.[0]?.functionResponse?.id,
        invocation: answered.invocationId,
      });
    }, 60_000);

    it('has the state as of the call, and what it sets is there for the next', async () => {
      await client.createSession('counted');
      const first = await call('count', 'counted');
      const second = await call('count', 'counted');

      expect([first.response, second.response]).toEqual([{ before: 0 }, { before: 1 }]);
      expect(second.answered.actions?.stateDelta).toEqual({ count: 2, 'user:seen': true });
      expect((await client.getSession('counted')).state).toMatchObject({ count: 2, 'user:seen': true });
    }, 60_000);

    it('sets what has a JSON form: else nothing is set, and the error names the key; undefined is null', async () => {
      const unsaid = await call('unsaid');
      const cleared = await call('cleared');

      const error = `The actions of tool 'unsaid' cannot be stored: stateDelta "cart": A Map has no JSON form`;
      expect(unsaid.response).toEqual({ error: expect.stringContaining(error) as string });
      expect(unsaid.answered.actions?.stateDelta ?? {}).toEqual({});
      expect(cleared.response).toEqual({ result: 'ok' });
      expect(cleared.answered.actions?.stateDelta).toEqual({ left: null });
    }, 60_000);

    it('is run where its code is a generator', async () => {
      expect((await call('yields')).response).toEqual({ result: 'all' });
    }, 60_000);

    it('saves, lists and loads artifacts (B60)', async () => {
      const { answered, response } = await call('artifacts');

      expect(response).toEqual({
        ...{ versions: [0, 1], names: ['a.txt'], texts: ['one', 'two'], missing: true },
      });
      expect(answered.actions?.artifactDelta).toEqual({ 'a.txt': 1 });
    }, 60_000);

    it('tells a tool what was refused, with its code', async () => {
      expect((await call('refused')).response).toMatchObject({ code: 'artifact.name', kind: 'invalid' });
    }, 60_000);

    it('finds what the user said before (B61)', async () => {
      await client.createSession('before');
      await client.run('before', 'I live in Bern.');
      await client.addToMemory('before');

      const { response } = await call('recall');

      expect((response as { said: string[] }).said).toContain('I live in Bern.');
    }, 60_000);

    it('takes the actions that the tool declared', async () => {
      expect((await call('skip')).answered.actions?.skipSummarization).toBe(true);
    }, 60_000);

    it.each([
      ['what it threw', 'throws', { error: 'cannot do that' }],
      [
        'that JSON cannot say what it gave',
        'cycle',
        { error: expect.stringMatching(/contains itself/) as string },
      ],
      ['a megabyte and a half', 'large', { result: 'x'.repeat(1_500_000) }],
    ])(
      'gives the model %s',
      async (_what, tool, expected) => {
        const { answered, response } = await call(tool);

        expect(response).toEqual(expected);
        if (tool === 'throws') expect(answered.actions?.stateDelta).toEqual({ tried: true });
      },
      60_000,
    );

    it('tells its progress to the stream', async () => {
      await client.createSession('told');
      const frames = await client.runSse('told', 'call tells');

      const told = frames.flatMap(({ data }) =>
        (data.content?.parts ?? []).flatMap(({ functionResponse: answer }) =>
          data.partial && answer ? [answer.response?.progress] : [],
        ),
      );
      expect(told).toEqual([{ step: 1 }, { step: 2 }]);
    }, 60_000);
  });
});
