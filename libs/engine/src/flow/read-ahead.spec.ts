import { collect, partial, text } from '@skein/testing';
import { type LlmResponse } from '../model/llm-response';
import { readAhead } from './read-ahead';

/** Each read is noted when it begins, and the end when it is reached. */
async function* noting(
  responses: readonly (LlmResponse | Error)[],
  reads: string[],
): AsyncGenerator<LlmResponse, void> {
  for (const response of responses) {
    reads.push('read');
    if (response instanceof Error) throw response;
    yield response;
  }
  reads.push('end');
}

describe('readAhead', () => {
  it('hands pieces on at once, and the whole answer when the call has ended', async () => {
    const log: string[] = [];

    for await (const response of readAhead(noting([partial(text('a')), text('ab')], log))) {
      log.push(response.partial ? 'piece' : 'whole');
    }

    expect(log).toEqual(['read', 'piece', 'read', 'end', 'whole']);
  });

  it('keeps several whole answers, and pieces between them, in order', async () => {
    const responses = [text('1'), partial(text('2')), text('2'), text('3')];

    expect(await collect(readAhead(noting(responses, [])))).toEqual(responses);
  });

  it('hands a whole answer on before the error that follows it', async () => {
    const stream = readAhead(noting([text('1'), new Error('Quota.')], []));

    expect((await stream.next()).value).toEqual(text('1'));
    await expect(stream.next()).rejects.toThrow('Quota.');
  });
});
