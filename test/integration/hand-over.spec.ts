import { Client, textOf } from '../support/client';
import { Skein } from '../support/skein';

const TURNS = 8;
const BLOCKED_MS = 300;

/** Keeps the runner's event loop busy whenever a run of it begins, as code of an author may. */
const AGENT = `
import { LlmAgent, ScriptedLlm } from '@skein/adk';

function keepBusy(): undefined {
  const endMs = performance.now() + ${BLOCKED_MS};
  while (performance.now() < endMs);
}

export const rootAgent = new LlmAgent({
  name: 'busy',
  model: new ScriptedLlm({ responses: [{ content: { role: 'model', parts: [{ text: 'done' }] } }] }),
  beforeAgentCallback: keepBusy,
});
`;

let skein: Skein;

beforeAll(async () => {
  skein = await Skein.start({ agents: { busy: AGENT }, env: { RUNNERS: '2', TOOL_WORKERS: '1' } });
}, 60_000);
afterAll(() => skein.stop());

it('row 8: asks the model once in each turn although hand-overs meet runners whose event loop is busy', async () => {
  const client = new Client(skein.url, 'busy');
  const sessions = Array.from({ length: TURNS }, (_, index) => `busy-${index}`);

  const answers = await Promise.all(
    sessions.map((sessionId) => client.run(sessionId, 'go', { autoCreateSession: true })),
  );

  expect(answers.map(({ body }) => textOf(body.at(-1)))).toEqual(sessions.map(() => 'done'));
  const asked = skein.modelRequests().map(({ sessionId }) => sessionId);
  expect(asked.sort()).toEqual(sessions);
  // A claim that is never taken back: one lease each.
  expect(skein.log()).not.toContain('not taken, queued again');
}, 60_000);
