import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, textOf } from '../support/client';
import { Skein } from '../support/skein';

const meetingPlace = mkdtempSync(path.join(tmpdir(), 'skein-meeting-'));

/** Each call leaves a note and waits until it sees those of all the others, so none ends before the last has begun. */
const AGENT = `
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';

const folder = ${JSON.stringify(meetingPlace)};

const meet = new FunctionTool({
  name: 'meet',
  description: 'Waits for the others.',
  execute: async ({ n, of }, { signal, idempotencyKey }) => {
    writeFileSync(path.join(folder, of + '-' + idempotencyKey), '');
    while (readdirSync(folder).filter((name) => name.startsWith(of + '-')).length < of) {
      await pause(10, undefined, { signal });
    }
    // The last to be called is the first to be done.
    await pause((of - n) * 20, undefined, { signal });
    return { n };
  },
});

export const rootAgent = new LlmAgent({
  name: 'meeting',
  tools: [meet],
  model: new ScriptedLlm({
    rules: [
      { when: /^meet: /, respond: () => 'All met.' },
      {
        when: /(\\d+) calls/,
        respond: ([, of]) => ({
          content: {
            role: 'model',
            parts: Array.from({ length: Number(of) }, (_, n) => ({
              functionCall: { name: 'meet', args: { n, of: Number(of) } },
            })),
          },
        }),
      },
    ],
  }),
});
`;

describe('the calls of one turn over several tool workers', () => {
  let skein: Skein;

  beforeAll(async () => {
    // Two calls a worker, so that eight at once need all four workers.
    const env = { TOOL_WORKERS: '4', RUNNERS: '1', TOOL_CONCURRENCY: '2' };
    skein = await Skein.start({ agents: { meeting: AGENT }, env });
  }, 120_000);

  afterAll(async () => {
    await skein?.stop();
    rmSync(meetingPlace, { recursive: true, force: true });
  }, 60_000);

  it.each([2, 8])(
    'run at the same time, %d of them, and are answered in call order whichever ends first (B26)',
    async (count) => {
      const client = new Client(skein.url, 'meeting');
      await client.createSession(`s${count}`);

      const { body: events } = await client.run(`s${count}`, `${count} calls`);

      const answers = events
        .flatMap((event) => event.content?.parts ?? [])
        .flatMap((part) => part.functionResponse?.response ?? []);
      expect(answers).toEqual(Array.from({ length: count }, (_, n) => ({ n })));
      expect(textOf(events.at(-1))).toBe('All met.');
      const executions = events[1]?.customMetadata?.['skein.tools'] as { worker: string }[];
      // Each worker runs two calls at a time.
      expect(new Set(executions.map(({ worker }) => worker)).size).toBeGreaterThanOrEqual(count / 2);
    },
    60_000,
  );
});
