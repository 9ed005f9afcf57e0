import { type LlmResponse } from '@skein/engine';
import { collect, saying } from '@skein/testing';
import { once, ProviderLlm } from './provider-llm';

const KEY = 'a-key-0123456789';

class Refusing extends ProviderLlm<string> {
  protected override readonly provider = 'gemini';

  protected override async ask(): Promise<AsyncIterable<string>> {
    return once(`Blocked for the key ${KEY}.`);
  }

  protected override async *read(pieces: AsyncIterable<string>): AsyncGenerator<LlmResponse, void> {
    for await (const errorMessage of pieces) yield { errorCode: 'SAFETY', errorMessage };
  }
}

it("an answer's own words for what is wrong with it are told without the key", async () => {
  const model = new Refusing({ model: 'gemini-2.5-flash', apiKey: KEY });

  expect(await collect(model.generateContentAsync(saying('hi')))).toEqual([
    { errorCode: 'SAFETY', errorMessage: 'Blocked for the key [key].' },
  ]);
});
