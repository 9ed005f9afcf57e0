import { type Event } from '@skein/contracts';
import { Client, textOf } from '../support/client';
import { Skein } from '../support/skein';

const AGENT = `
import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';

function nested(levels) {
  let value = 'core';
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

const cycle = {};
cycle.self = cycle;

const answers = {
  throws: () => { throw new Error('the tool broke'); },
  undefined: () => undefined,
  cycle: () => cycle,
  bigint: () => ({ n: 10n }),
  tenMegabytes: () => 'x'.repeat(10 * 1024 * 1024),
  halfMegabyte: () => 'y'.repeat(512 * 1024),
  deep: () => nested(20_000),
  nul: () => ({ text: 'a\\0b', 'key\\0': 1 }),
  surrogate: () => ({ text: 'x\\ud800y' }),
  proto: () => JSON.parse('{"__proto__": {"polluted": true}, "fine": 1}'),
  isPolluted: () => 'polluted' in {},
};

const hostile = new FunctionTool({
  name: 'hostile',
  description: 'Answers what no tool should.',
  execute: ({ kind }) => answers[kind](),
});

export const rootAgent = new LlmAgent({
  name: 'brave',
  tools: [hostile],
  model: new ScriptedLlm({
    rules: [
      { when: /^hostile: /, respond: () => 'I go on.' },
      { when: /^is the runner polluted/, respond: () => String('polluted' in {}) },
      { when: /^say nul/, respond: () => 'nul \\0 and \\ud800 said' },
      { when: /^ghost/, respond: () => ({ content: { role: 'model', parts: [{ functionCall: { name: 'ghost', args: {} } }] } }) },
      { when: /^badargs/, respond: () => ({ content: { role: 'model', parts: [{ functionCall: { name: 'hostile', args: 'x' } }] } }) },
      { when: /^ghost: /, respond: () => 'No ghost.' },
      {
        when: /^(\\w+)$/,
        respond: (match) => ({
          content: { role: 'model', parts: [{ functionCall: { name: 'hostile', args: { kind: match[1] } } }] },
        }),
      },
    ],
  }),
});
`;

describe('tools and models that answer what they should not', () => {
  let skein: Skein;
  let client: Client;

  beforeAll(async () => {
    skein = await Skein.start({ agents: { brave: AGENT } });
    client = new Client(skein.url, 'brave');
    await client.createSession('s');
  }, 120_000);

  afterAll(() => skein?.stop(), 60_000);

  it.each([
    ['throws', { error: 'the tool broke' }],
    ['undefined', { result: null }],
    ['cycle', { error: expect.stringMatching(/contains itself/) }],
    ['bigint', { error: expect.stringMatching(/BigInt/) }],
    ['tenMegabytes', { error: expect.stringMatching(/limit/) }],
    ['halfMegabyte', { result: 'y'.repeat(512 * 1024) }],
    ['deep', { error: expect.stringMatching(/56 levels/) }],
    ['nul', { text: 'a\ufffdb', 'key\ufffd': 1 }],
    ['surrogate', { text: 'x\ufffdy' }],
  ])(
    'gives the model something it can read when a tool answers with %s, and the session goes on',
    async (kind, expected) => {
      const { status, body } = await client.run('s', kind);
      expect(status).toBe(200);
      expect(responseOf(body)).toEqual(expected);
      expect(textOf(body.at(-1))).toBe('I go on.');
    },
    60_000,
  );

  it('keeps a key named __proto__ inert', async () => {
    const { body } = await client.run('s', 'proto');
    expect(responseOf(body)).toHaveProperty('fine', 1);
    // Asked of the processes that read it: every worker may have, so each is asked often enough to be met.
    for (let call = 0; call < 8; call++) {
      expect(responseOf((await client.run('s', 'isPolluted')).body)).toEqual({ result: false });
    }
    expect(textOf((await client.run('s', 'is the runner polluted')).body.at(-1))).toBe('false');
  });

  it('cleans NUL and lone surrogates from what a model says', async () => {
    const { body } = await client.run('s', 'say nul');
    expect(textOf(body.at(-1))).toBe('nul \ufffd and \ufffd said');
    const stored = (await client.getSession('s')).events.at(-1);
    expect(stored).toEqual(body.at(-1));
  });

  it('keeps what the user said, and says what was wrong, when a model answers in another shape', async () => {
    const { status, body } = await client.request<{ detail: string }>('POST', '/run', {
      appName: 'brave',
      userId: 'ada',
      sessionId: 's',
      newMessage: { parts: [{ text: 'badargs' }] },
    });

    expect(status).toBe(500);
    expect(body.detail).toMatch(/model\.bad-answer: .*functionCall\.args/);
    const [said, failed] = (await client.getSession('s')).events.slice(-2);
    expect(textOf(said)).toBe('badargs');
    expect(failed?.errorCode).toBe('model.bad-answer');
    expect(textOf((await client.run('s', 'undefined')).body.at(-1))).toBe('I go on.');
  });

  it('tells the model which tools there are when it calls one that is not (B28)', async () => {
    const { body } = await client.run('s', 'ghost');
    expect(body[1]?.content?.parts?.[0]?.functionResponse?.response).toEqual({
      error: "Tool 'ghost' not found.\nAvailable tools: hostile",
    });
  });
});

function responseOf(events: readonly Event[]): unknown {
  return events[1]?.content?.parts?.[0]?.functionResponse?.response;
}
