import { Client, textOf } from '../support/client';
import { Skein } from '../support/skein';

const GOOD = `
import { LlmAgent, ScriptedLlm } from '@skein/adk';

export const rootAgent = new LlmAgent({
  name: 'fine',
  model: new ScriptedLlm({ rules: [{ when: /./, respond: () => 'All is well.' }] }),
});
`;

const THROWS = `import { LlmAgent } from '@skein/adk';

export const nothing: LlmAgent = undefined as never;
throw new Error('no luck today');
`;

describe('agents from a folder', () => {
  let skein: Skein;

  beforeAll(async () => {
    skein = await Skein.start({
      agents: {
        fine: GOOD,
        throwing: THROWS,
        syntax: 'export const = 1;\n',
        empty: 'export {};\n',
        _hidden: GOOD,
      },
    });
  }, 120_000);

  afterAll(() => skein?.stop(), 60_000);

  it('lists the apps of the folder, sorted, without hidden ones', async () => {
    const { body } = await new Client(skein.url, 'fine').request('GET', '/list-apps');
    expect(body).toEqual(['empty', 'fine', 'syntax', 'throwing']);
  });

  it.each([
    ['throwing', /throwing\/agent\.ts:4.*no luck today/s],
    ['syntax', /syntax\/agent\.ts:1/],
    ['empty', /empty\/agent\.ts.*rootAgent/s],
  ])(
    'names file, line and reason of the broken agent %s, and stores it as the end of the run',
    async (app, reason) => {
      const client = new Client(skein.url, app);
      await client.createSession('s');

      const { status, body } = await client.request<{ detail: string; code: string }>('POST', '/run', {
        appName: app,
        userId: 'ada',
        sessionId: 's',
        newMessage: { parts: [{ text: 'hello' }] },
      });

      expect(status).toBe(500);
      expect(body.code).toBe('run.failed');
      expect(body.detail).toMatch(/^agent\.load-failed: /);
      expect(body.detail).toMatch(reason);
      const { events } = await client.getSession('s');
      expect(events.map(({ author }) => author)).toEqual(['user', app]);
      expect(events[1]?.errorCode).toBe('agent.load-failed');
    },
  );

  it('goes on serving the other apps', async () => {
    const client = new Client(skein.url, 'fine');
    await client.createSession('s');
    const { body } = await client.run('s', 'how are you?');
    expect(textOf(body.at(-1))).toBe('All is well.');
  });
});
