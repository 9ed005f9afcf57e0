import { type ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
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
import { AnswerBody } from './answer-body';
import { type ProviderLlmParams } from '../provider/provider-llm';

interface Adapter {
  readonly name: string;
  readonly dialect: ProviderDialect;
  make(params: ProviderLlmParams): BaseLlm;
}

const ADAPTERS: readonly Adapter[] = [
  { name: 'Gemini', dialect: geminiDialect, make: (params) => new Gemini(params) },
  { name: 'AnthropicLlm', dialect: createAnthropicDialect(), make: (params) => new AnthropicLlm(params) },
  { name: 'OpenAILlm', dialect: openaiDialect, make: (params) => new OpenAILlm(params) },
];
const WAYS = ADAPTERS.flatMap((adapter) =>
  [true, false].map((stream) => ({ ...adapter, stream, how: stream ? 'streamed' : 'at once' })),
);
const MODEL = 'a-model';
const LIMIT = 64 * 1_024;
const MIB = 1_024 * 1_024;

type Reply = (response: ServerResponse, body: string) => void;

describe.each(WAYS)('what comes in the place of an answer of $name, $how', ({ dialect, make, stream }) => {
  let server: ProviderServer;
  beforeAll(async () => {
    server = await ProviderServer.start(dialect, MODEL);
  });
  afterAll(() => server.stop());

  const type = stream ? 'text/event-stream' : 'application/json';
  const bodyOf = (text: string): string => {
    const says = { parts: [{ text }] };
    if (!stream) return dialect.whole(says, MODEL);
    const { opening, body, closing } = dialect.frames(says, MODEL);
    return [...opening, ...body, ...closing].join('');
  };

  /** What comes of one answer; of a further request too, where one is made. */
  async function asked(reply: Reply, params: Partial<ProviderLlmParams> = {}): Promise<unknown> {
    server.received.length = 0;
    server.otherwise = () => ({ replies: (response) => reply(response, bodyOf('Well.')) });
    const { apiKey, baseUrl } = server;
    const llm = make({ model: MODEL, apiKey, baseUrl, maxAttempts: 2, firstDelayMs: 1, ...params });
    try {
      const answers = await collect(llm.generateContentAsync(saying('Hello.'), stream));
      return answers
        .at(-1)
        ?.content?.parts?.map(({ text }) => text)
        .join('');
    } catch (error) {
      return error;
    }
  }

  const send =
    (body: string | Buffer, headers: Record<string, string> = {}): Reply =>
    (response) =>
      void response.writeHead(200, { 'content-type': type, ...headers }).end(body);

  it.each([
    ['as it is', {}, (body: string) => body],
    ['behind a byte order mark', {}, (body: string) => `\ufeff${body}`],
    ['packed', { 'content-encoding': 'gzip' }, gzipSync],
    ['said to be of another type', { 'content-type': 'text/plain' }, (body: string) => body],
    ['with returns', {}, (body: string) => body.replaceAll('\n', '\r\n')],
    [
      'with comments',
      {},
      (body: string) => (stream ? `: hi\n\n${body.replaceAll('\n\n', '\n: hi\n\n')}` : body),
    ],
  ])('is read %s', async (_how, headers, pack) => {
    const reply: Reply = (response, body) => send(pack(body), headers)(response, '');

    expect(await asked(reply)).toBe('Well.');
  });

  it.each([
    ['of one byte each', 1],
    ['of seven', 7],
  ])('is read in pieces %s', async (_how, bytesPerWrite) => {
    server.received.length = 0;
    server.otherwise = () => ({ says: { parts: [{ text: 'Wéll 𝄞.' }] }, bytesPerWrite });
    const llm = make({ model: MODEL, apiKey: server.apiKey, baseUrl: server.baseUrl });
    const answers = await collect(llm.generateContentAsync(saying('Hello.'), stream));

    expect(answers.at(-1)?.content?.parts).toEqual([{ text: 'Wéll 𝄞.' }]);
  });

  it('is read with bytes that are no UTF-8 replaced', async () => {
    const reply: Reply = (response, body) => {
      const [before = '', after = ''] = body.split('Well.');
      send(Buffer.concat([Buffer.from(before), Buffer.of(0xc3, 0x28, 0xff), Buffer.from(`Well.${after}`)]))(
        response,
        '',
      );
    };
    // Streamed by pieces, the word may be in several.
    const said = stream ? expect.any(String) : '\ufffd(\ufffdWell.';

    expect(await asked(reply)).toEqual(said);
  });

  const event = (data: string): string => (stream ? `event: message_start\ndata: ${data}\n\n` : data);
  it.each([
    ['a page', '<html>A proxy.</html>', 'text/html'],
    ['nothing', '', type],
    ['white space', ' \n\n \n', type],
    ['a list', event('[]'), type],
    ['null', event('null'), type],
    ['a text', event('"hello"'), type],
    ['a number', event('7'), type],
    ['JSON that is cut', event('{"a": "b'), type],
    ['no JSON', event('{a: 1}'), type],
    ['events without data', 'event: message_start\n\n', type],
    ['bytes', '\0\x01\xfe\xff', 'application/octet-stream'],
  ])('is told as no answer, and asked for again: %s', async (_what, body, contentType) => {
    expect(await asked(send(body, { 'content-type': contentType }))).toMatchObject({
      name: 'ModelError',
      code: 'model.bad-answer',
      kind: 'unavailable',
      message: expect.stringMatching(/^The model's answer could not be read: \w+/) as string,
    });
    expect(server.received).toHaveLength(2);
  });

  it.each([204, 205])('is told as no answer where the status is %i', async (status) => {
    expect(await asked((response) => void response.writeHead(status).end())).toMatchObject({
      code: 'model.bad-answer',
      kind: 'unavailable',
      message: `The model's answer could not be read: it is empty (${status}).`,
    });
    expect(server.received).toHaveLength(2);
  });

  const filler = Buffer.alloc(MIB, stream ? ': tick\n\n' : ' ');
  const head = stream ? '' : '{';
  /** Writes as long as somebody reads, and counts what was written. */
  function flood(piece: Buffer, start = head, status = 200): { reply: Reply; sent: () => number } {
    let sent = 0;
    const reply: Reply = (response) => {
      response.writeHead(status, { 'content-type': type });
      response.write(start);
      const write = (): void => {
        while (!response.destroyed && sent < 256 * MIB) {
          sent += piece.length;
          if (!response.write(piece)) return void response.once('drain', write);
        }
        response.end();
      };
      write();
    };
    return { reply, sent: () => sent };
  }

  const tooLarge = {
    code: 'model.too-large',
    kind: 'invalid',
    message: `The model's answer is larger than ${LIMIT} bytes.`,
  };

  it.each([
    ['has no end', filler],
    ['has a line without an end', Buffer.alloc(MIB, 'x')],
    ['has tiny events without an end', stream ? Buffer.from('data: {}\n\n'.repeat(1_000)) : filler],
  ])('is refused once it is too large, asked for once, and left, where it %s', async (_how, piece) => {
    const { reply, sent } = flood(piece);

    expect(await asked(reply, { maxAnswerBytes: LIMIT })).toMatchObject(tooLarge);
    expect(server.received).toHaveLength(1);
    expect(await server.received[0]?.ended).toBe('left');
    // What the sockets hold is written before anybody reads.
    expect(sent()).toBeLessThan(32 * MIB);
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('is measured unpacked: %s', async (encoding, pack) => {
    const packed = pack(Buffer.concat([Buffer.from(head), Buffer.alloc(8 * MIB, filler)]));
    expect(packed.length).toBeLessThan(LIMIT);

    expect(
      await asked(send(packed, { 'content-encoding': encoding }), { maxAnswerBytes: LIMIT }),
    ).toMatchObject(tooLarge);
  });

  it('is bounded to 32 MiB where nobody says otherwise', async () => {
    const { reply } = flood(filler);

    expect(await asked(reply)).toMatchObject({
      message: "The model's answer is larger than 33554432 bytes.",
    });
  });

  it.each([
    ['more values than can be kept', `{"a":[${'0,'.repeat(300_000)}0]}`, /more than 250000 values/],
    [
      'more levels than can be kept',
      `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
      /deeper than 64 levels/,
    ],
  ])('is refused where it holds %s', async (_what, json, message) => {
    expect(await asked(send(event(json)))).toMatchObject({
      code: 'model.too-large',
      message: expect.stringMatching(message) as string,
    });
    expect(server.received).toHaveLength(1);
  });

  it.each([
    ['text', Buffer.alloc(MIB, 'x'), 'no '],
    ['JSON', Buffer.alloc(MIB, 'x'), '{"error":{"message":"'],
    ['brackets', Buffer.alloc(MIB, '['), '{"error":{"message":"No.","details":'],
  ])('tells a refusal by its status, however long it is: %s', async (_what, piece, start) => {
    const { reply, sent } = flood(piece, start, 418);

    expect(await asked(reply)).toMatchObject({ name: 'ClientError', details: { status: 418 } });
    expect(server.received).toHaveLength(1);
    expect(await server.received[0]?.ended).toBe('left');
    expect(sent()).toBeLessThan(32 * MIB);
  });

  it('tells a refusal by its status where it breaks off', async () => {
    const reply: Reply = (response) => {
      response.writeHead(418, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"error":{"message":"Half a', () => response.destroy());
    };

    expect(await asked(reply)).toMatchObject({ name: 'ClientError', details: { status: 418 } });
  });
});

describe('AnswerBody', () => {
  it('hands a streamed event on as one piece, whatever pieces it came in', async () => {
    const data = JSON.stringify({ text: 'x'.repeat(MIB) });
    const sent = Buffer.from(`event: one\ndata: ${data}\n\ndata: {}\n\n`);
    async function* pieces(): AsyncGenerator<Uint8Array, void> {
      for (let at = 0; at < sent.length; at += 1_024) yield sent.subarray(at, at + 1_024);
    }
    const body = new AnswerBody({ isStreamed: true, hasNamedEvents: true, maxBytes: 2 * MIB });
    const made = body.fetchWith(async () => new Response(ReadableStream.from(pieces())));
    const read = await collect((await made('http://provider')).body ?? ReadableStream.from([]));

    expect(read.map((piece) => Buffer.from(piece).toString())).toEqual([
      `event: one\ndata: ${data}\n\n`,
      'data: {}\n\n',
    ]);
  });
});
