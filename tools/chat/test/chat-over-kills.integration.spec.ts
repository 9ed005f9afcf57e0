import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Client } from '../../../test/support/client';
import { Skein } from '../../../test/support/skein';
import { waitUntil } from '../../../test/support/wait-until';

const program = path.join(__dirname, '..', '..', '..', 'dist', 'tools', 'chat', 'src', 'main.js');

const words = Array.from({ length: 20 }, (_, index) => `word${index}`);
const AGENT = `
import { LlmAgent, ScriptedLlm } from '@skein/adk';

const say = (text) => ({ content: { role: 'model', parts: [{ text }] } });
const words = ${JSON.stringify(words)};

export const rootAgent = new LlmAgent({
  name: 'talker',
  model: new ScriptedLlm({
    responses: [[
      ...words.map((word) => ({ delayMs: 100, response: say(word + ' ') })),
      say(words.map((word) => word + ' ').join('')),
    ]],
  }),
});
`;

describe('npm run chat, while what serves it is killed', () => {
  let skein: Skein;

  beforeAll(async () => {
    // Scaled down from 15 s and 2 s: they are the time until another runner goes on.
    const env = { LEASE_MS: '2000', SWEEP_MS: '300' };
    skein = await Skein.start({ agents: { talker: AGENT }, env });
  }, 120_000);

  afterAll(() => skein?.stop(), 60_000);

  async function pidToKill(app: string, session: string): Promise<number | undefined> {
    if (app === 'gateway') return skein.pidsOf(app)[0];
    return skein.modelRequests().find(({ sessionId }) => sessionId === session)?.pid;
  }

  it.each(['runner', 'gateway'])(
    'prints one answer once when the %s is killed in the middle of it',
    async (app) => {
      const session = `killed-${app}`;
      const client = new Client(skein.url, 'talker', 'user');
      await client.createSession(session);
      const chat = spawn(process.execPath, [program, 'talker', '--session', session, '--url', skein.url]);
      let output = '';
      const read = (chunk: Buffer): unknown => (output += chunk.toString('utf8'));
      chat.stdout.on('data', read);
      chat.stderr.on('data', read);
      chat.stdin.end('say it\n');

      await waitUntil('the answer to begin', () => output.includes('word3') || undefined);
      const pid = await waitUntil('whom to kill', () => pidToKill(app, session));
      process.kill(pid, 'SIGKILL');
      const [code] = (await once(chat, 'close')) as [number];

      // A notice may stand between two halves of the answer.
      const answer = output
        .replace(/\n\(Nothing answers.*\)\ntalker: /, '')
        .split('\n')
        .slice(1);
      expect(answer).toEqual([`talker: ${words.join(' ')} `, '']);
      expect(code).toBe(0);
      const { events } = await client.getSession(session);
      expect(events).toHaveLength(2);
    },
    60_000,
  );
});
