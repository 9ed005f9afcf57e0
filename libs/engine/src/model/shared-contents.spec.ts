import { type Content } from '@skein/contracts';
import { asks, says } from '@skein/testing';
import { type LlmRequest } from './llm-request';
import { createLlmRequest, readContents, requestLike, shareContents } from './shared-contents';

function telling(...contents: (Content | undefined)[]): LlmRequest {
  const request = createLlmRequest({ model: '', config: {}, toolsDict: {}, ordinal: 0 });
  shareContents(
    request,
    contents.filter((content) => content !== undefined),
  );
  return request;
}

describe('the contents of a request', () => {
  it('are copied once, for the first who could change them', () => {
    const { content } = asks('me', [{ id: 'a', name: 'f', args: { deep: { n: 1 } } }]);
    const request = telling(content);

    const args = request.contents[0]?.parts?.[0]?.functionCall?.args;
    Object.assign(args?.deep ?? {}, { n: 2 });
    request.contents.push({ role: 'user', parts: [] });

    expect(content?.parts?.[0]?.functionCall?.args).toEqual({ deep: { n: 1 } });
    expect(request.contents).toMatchObject([{ parts: [{ functionCall: { args: { deep: { n: 2 } } } }] }, {}]);
    expect(readContents(request)).toBe(request.contents);
  });

  it('are what they were for one who only reads: nothing is copied', () => {
    const { content } = says('user', 'hi');
    const request = telling(content);

    expect(readContents(request)[0]).toBe(content);
    expect(readContents(requestLike(request, { model: 'another' }))[0]).toBe(content);
  });

  it('stay as they are when a request like it gets others', () => {
    const request = telling(says('user', 'hi').content);
    const like = requestLike(request, { model: 'another' });

    like.contents.pop();

    expect(like).toMatchObject({ model: 'another', contents: [] });
    expect(request.contents).toEqual([{ role: 'user', parts: [{ text: 'hi' }] }]);
  });

  it('go with a copy of the request, and into what is logged of it', () => {
    const request = telling(says('user', 'hi').content);

    expect({ ...request }.contents).toEqual([{ role: 'user', parts: [{ text: 'hi' }] }]);
    expect(JSON.stringify(request)).toContain('"contents":[{"role":"user"');
  });

  it('are copied with a field named __proto__ as a field', () => {
    const args = JSON.parse('{"__proto__":{"polluted":true}}') as Record<string, unknown>;
    const request = telling(asks('me', [{ id: 'a', name: 'f', args }]).content);

    const copied = request.contents[0]?.parts?.[0]?.functionCall?.args;

    expect(JSON.stringify(copied)).toBe('{"__proto__":{"polluted":true}}');
    expect(copied?.polluted).toBeUndefined();
  });

  it("are copied into a request of somebody else's making (B9)", () => {
    const { content } = says('user', 'hi');
    const request: LlmRequest = { model: '', contents: [], config: {}, toolsDict: {}, ordinal: 0 };

    shareContents(request, content ? [content] : []);

    expect(request.contents).toEqual([content]);
    expect(request.contents[0]).not.toBe(content);
  });
});
