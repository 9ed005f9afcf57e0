import { type ServerResponse } from 'node:http';
import { type BaseLlm } from '@skein/engine';
import {
  collect,
  createAnthropicDialect,
  geminiDialect,
  openaiDialect,
  type ProviderDialect,
  ProviderServer,
  saying,
} from '@skein/testing';
import { AnthropicLlm } from '../anthropic/anthropic-llm.model';
import { Gemini } from '../gemini/gemini.model';
import { OpenAILlm } from '../openai/openai-llm.model';
import { type ProviderLlmParams } from '../provider/provider-llm';

const MODEL = 'a-model';
const SAYS = {
  parts: [{ text: 'Well.' }, { call: { id: 'c', name: 'f', args: { a: 1 } } }],
  usage: { input: 3, output: 4 },
};
const ADAPTERS: readonly [string, ProviderDialect, (params: ProviderLlmParams) => BaseLlm][] = [
  ['Gemini', geminiDialect, (params) => new Gemini(params)],
  ['AnthropicLlm', createAnthropicDialect(), (params) => new AnthropicLlm(params)],
  ['OpenAILlm', openaiDialect, (params) => new OpenAILlm(params)],
];
const WAYS = ADAPTERS.flatMap(([name, dialect, make]) => [
  { name, how: 'at once', dialect, make, stream: false },
  { name, how: 'streamed', dialect, make, stream: true },
]);

/** The value with something of another type in the place of each thing in it, one at a time. */
function* bent(value: unknown): Generator<unknown, void> {
  yield* [7, 'x', {}, [null]];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    const isList = Array.isArray(value);
    for (const other of bent(item)) {
      yield isList ? Object.assign([...(value as unknown[])], { [key]: other }) : { ...value, [key]: other };
    }
  }
}

describe.each(WAYS)('an answer of $name, $how, with fields of other types', ({ dialect, make, stream }) => {
  /** Of a stream its first event that shows something is bent. */
  function bentBodies(): string[] {
    if (!stream) return [...bent(JSON.parse(dialect.whole(SAYS, MODEL)))].map((one) => JSON.stringify(one));
    const { opening, body, closing } = dialect.frames(SAYS, MODEL);
    const [first = '', ...rest] = body;
    const [head = '', data = ''] = first.split(/(?<=data: )/);
    return [...bent(JSON.parse(data))].map((one) =>
      [...opening, `${head}${JSON.stringify(one)}\n\n`, ...rest, ...closing].join(''),
    );
  }

  it('is read as far as it can be, or is no answer, in words of ours', async () => {
    const server = await ProviderServer.start(dialect, MODEL);
    const bodies = bentBodies();
    const errors: unknown[] = [];
    for (const body of bodies) {
      const type = stream ? 'text/event-stream' : 'application/json';
      server.queue({ replies: (response) => response.writeHead(200, { 'content-type': type }).end(body) });
      const { apiKey, baseUrl } = server;
      const llm = make({ model: MODEL, apiKey, baseUrl, maxAttempts: 1 });
      await collect(llm.generateContentAsync(saying('Hello.'), stream)).catch((error: unknown) =>
        errors.push(error),
      );
    }
    await server.stop();

    expect(bodies.length).toBeGreaterThan(20);
    expect(errors.length).toBeGreaterThan(0);
    for (const error of errors) {
      expect(error).toMatchObject({
        code: expect.stringMatching(/^model\.(bad-answer|truncated)$/) as string,
        message: expect.not.stringMatching(
          /iterable|destructure|undefined \(|called on|is not a function/,
        ) as string,
      });
    }
  });
});

/** JSON objects of each adapter that are no answer, and one that begins a stream without anything to show. */
const OTHERS: Readonly<Record<string, { readonly whole: string; readonly event: string; begins: string }>> = {
  Gemini: {
    whole: '{"candidates":[{"content":{"parts":7}}]}',
    event: '{"candidates":[{"content":{"parts":7}}]}',
    begins: '{"candidates":[{"index":0}]}',
  },
  AnthropicLlm: {
    whole: '{}',
    event: '{"type":"message_start"}',
    begins: '{"type":"message_start","message":{"model":"a-model"}}',
  },
  OpenAILlm: {
    whole: '{"choices":"none"}',
    event: '{"choices":"none"}',
    begins: '{"choices":[{"index":0,"delta":{"role":"assistant"}}]}',
  },
};

describe.each(WAYS)('no answer of $name, $how', ({ name, dialect, make, stream }) => {
  const others = OTHERS[name] ?? { whole: '', event: '', begins: '' };
  const inEvent = (data: string): string => `event: message_start
data: ${data}

`;
  const begun = stream ? inEvent(others.begins) : '{"a":';
  const ends = (body: string) => (response: ServerResponse) => void response.end(body);
  const resets = (response: ServerResponse) => void response.write(begun, () => response.destroy());

  it.each([
    ['of another form', ends(stream ? inEvent(others.event) : others.whole), 'model.bad-answer'],
    // Half of the JSON of an answer is no JSON.
    ['that ends', ends(begun), stream ? 'model.truncated' : 'model.bad-answer'],
    ['that breaks off', resets, 'ModelError'],
  ])('%s before anything was shown is taken: it is asked for again', async (_what, reply, code) => {
    const server = await ProviderServer.start(dialect, MODEL);
    server.otherwise = () => ({
      replies: (response) => {
        response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
        reply(response);
      },
    });
    const { apiKey, baseUrl } = server;
    const llm = make({ model: MODEL, apiKey, baseUrl, maxAttempts: 3, firstDelayMs: 1 });
    const asked = collect(llm.generateContentAsync(saying('Hello.'), stream));

    await expect(asked).rejects.toMatchObject({ code, kind: 'unavailable' });
    expect(server.received).toHaveLength(3);
    await server.stop();
  });
});
