import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { connectNats, LocalPayloadStore, RpcClient } from '@skein/messaging';
import { silentLogger } from '@skein/platform';
import { z } from 'zod';
import { Client, textOf } from '../support/client';
import { Skein } from '../support/skein';
import { waitUntil } from '../support/wait-until';

/** Its tool takes long enough that its worker can be killed under it. */
const COUNTING = `
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';
import { z } from 'zod';

const count = new FunctionTool({
  name: 'count',
  description: 'Counts, slowly.',
  parameters: z.object({ n: z.string() }),
  execute: async ({ n }, context) => {
    console.error('counts ' + n + ' in ' + process.pid);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await context.saveArtifact('counted.txt', { text: n });
    return { counted: n };
  },
});

export const rootAgent = new LlmAgent({
  name: 'counting',
  tools: [count],
  model: new ScriptedLlm({
    rules: [
      { when: /"counted":"(\\w+)"/, respond: (match) => 'counted ' + match[1] },
      {
        when: /count (\\w+)/,
        respond: (match) => ({
          content: { role: 'model', parts: [{ functionCall: { name: 'count', args: { n: match[1] } } }] },
        }),
      },
    ],
  }),
});
`;

describe('a stack whose NATS server gives each service its own rights', () => {
  let skein: Skein;
  let ada: Client;

  beforeAll(async () => {
    skein = await Skein.start({ agents: { counting: COUNTING }, env: { ACK_WAIT_MS: '1000' } });
    ada = new Client(skein.url, 'counting', 'ada');
    await ada.createSession('s');
  }, 120_000);
  afterAll(() => skein?.stop(), 60_000);

  it('row 16: runs a conversation while workers are killed under its tools, and refuses nothing of it', async () => {
    const answers: (string | undefined)[] = [];
    for (const word of ['one', 'two', 'three']) {
      const turn = ada.run('s', `count ${word}`);
      const [, pid] = await waitUntil(
        `a worker to count ${word}`,
        () => new RegExp(`counts ${word} in (\\d+)`).exec(skein.log()) ?? undefined,
      );
      process.kill(Number(pid), 'SIGKILL');
      answers.push(textOf((await turn).body.at(-1)));
    }

    expect(answers).toEqual(['counted one', 'counted two', 'counted three']);
    expect(skein.log()).not.toMatch(/not-permitted|Violation/);
  }, 90_000);

  it('has every process ready, the workers in accounts of their own too', async () => {
    const urls = skein.processes().flatMap(({ healthUrl }) => healthUrl ?? []);
    const ready = async (url: string): Promise<number> => (await fetch(`${url}/ready`)).status;

    await waitUntil('all are ready', async () =>
      (await Promise.all(urls.map(ready))).every((it) => it === 200),
    );
  });

  it('keeps who may connect in files of their owner, and tells each service its own name alone', () => {
    const conf = path.join(skein.dataDir, 'nats.conf');
    expect(
      [statSync(conf), statSync(path.join(skein.dataDir, 'secret'))].map(({ mode }) => mode & 0o777),
    ).toEqual([0o600, 0o600]);

    const seen = (['gateway', 'runner', 'session-svc', 'tool-worker'] as const).map((app) => {
      const environ = readFileSync(`/proc/${skein.pidsOf(app)[0]}/environ`, 'utf8').split('\0');
      return new URL(environ.find((one) => one.startsWith('NATS_URL='))?.slice(9) ?? '').username;
    });
    expect(seen).toEqual(['gateway', 'runner', 'session-svc', 'tool-worker']);
  });

  it('row 16: a tool that finds the credentials of its worker cannot write into a session with them', async () => {
    const environ = readFileSync(`/proc/${skein.pidsOf('tool-worker')[0]}/environ`, 'utf8').split('\0');
    const connection = await connectNats({
      url: environ.find((one) => one.startsWith('NATS_URL='))?.slice(9) ?? '',
      name: 'thief',
      logger: silentLogger,
      payloads: new LocalPayloadStore(path.join(skein.dataDir, 'payloads')),
      payloadLimitBytes: 262_144,
    });
    const key = { appName: 'counting', userId: 'ada', sessionId: 's' };

    const deleting = new RpcClient(connection).request('rpc.session.delete', z.unknown(), key, {
      timeoutMs: 5_000,
    });

    await expect(deleting).rejects.toMatchObject({ code: 'nats.not-permitted' });
    expect((await ada.getSession('s')).events).not.toEqual([]);
    await connection.close();
  });
});
