import { type Content } from '@skein/contracts';
import { aRequest, collect, geminiDialect, ProviderServer } from '@skein/testing';
import { cameFrom } from '../request/part-origin';
import { Gemini } from './gemini.model';
import { signCalls } from './sign-calls';

const STAND_IN = 'skip_thought_signature_validator';
const call = (name: string, thoughtSignature?: string) => ({
  functionCall: { id: name, name, args: {} },
  ...(thoughtSignature ? { thoughtSignature } : {}),
});
const response = (name: string) => ({ functionResponse: { id: name, name, response: {} } });
const user = (...parts: NonNullable<Content['parts']>): Content => ({ role: 'user', parts });
const model = (...parts: NonNullable<Content['parts']>): Content => ({ role: 'model', parts });

describe('signCalls', () => {
  const unsigned = [model({ text: 'Wait.' }, call('f'), call('g')), user(response('f'), response('g'))];

  it.each([
    'gemini-3-pro-preview',
    'gemini-3.1-flash',
    'gemini-4-pro',
    'publishers/google/models/gemini-3-pro',
  ])('gives the first call of a step a stand-in: %s', (name) => {
    expect(signCalls(unsigned, name)).toEqual([
      model({ text: 'Wait.' }, call('f', STAND_IN), call('g')),
      unsigned[1],
    ]);
  });

  it.each(['gemini-2.5-pro', 'gemini-2.0-flash', 'projects/p/locations/l/endpoints/31'])(
    'leaves alone what a model takes as it is: %s',
    (name) => expect(signCalls(unsigned, name)).toEqual(unsigned),
  );

  it('leaves a signature alone', () => {
    const signed = [model(call('f', 'c2ln'), call('g'))];

    expect(signCalls(signed, 'gemini-3-pro-preview')).toEqual(signed);
  });
});

describe.each([false, true])('Gemini 3, stream: %s', (stream) => {
  it('takes calls that others made, or that came without their signatures', async () => {
    const server = await ProviderServer.start(geminiDialect, 'gemini-3-pro-preview');
    const { apiKey, baseUrl } = server;
    const llm = new Gemini({ model: server.model, apiKey, baseUrl, maxAttempts: 1 });
    server.queue({ says: { parts: [{ text: 'Well.' }] } });
    const claudes = { ...call('f', 'c2lnbmVk'), ...cameFrom({ provider: 'anthropic' }) };
    const contents = [
      user({ text: 'hi' }),
      model(claudes),
      user(response('f')),
      model(call('g')),
      user(response('g')),
      model(call('h', 'b3du')),
      user(response('h')),
    ];
    const answers = await collect(
      llm.generateContentAsync(aRequest({ model: server.model, contents }), stream),
    );

    expect(server.refused).toEqual([]);
    expect(answers.at(-1)?.content?.parts).toEqual([{ text: 'Well.' }]);
    expect(JSON.stringify(server.received[0]?.body).match(/(?<="thoughtSignature":")[^"]+/g)).toEqual([
      STAND_IN,
      STAND_IN,
      'b3du',
    ]);
    await server.stop();
  });
});
