import { cameFrom } from '../provider/part-origin';
import { type WireCall } from './openai-wire';
import { WireCalls } from './wire-calls';

function fragment(written: string, given: { id?: string; name?: string; index?: number } = {}): WireCall {
  const { id, name, index } = given;
  return { index, id, function: { name, arguments: written } };
}

function partsOf(...fragments: WireCall[]) {
  const calls = new WireCalls();
  for (const one of fragments) calls.add(one, one.index ?? undefined);
  return calls.parts.map(({ functionCall }) => functionCall);
}

const paris = { id: 'c1', name: 'f', args: { q: 'Paris' } };
const rome = { id: 'c2', name: 'f', args: { q: 'Rome' } };

describe('WireCalls', () => {
  it('puts fragments together by index, also where calls take turns', () => {
    expect(
      partsOf(
        fragment('', { id: 'c1', name: 'f', index: 0 }),
        fragment('{"q":', { index: 0 }),
        fragment('{"q"', { id: 'c2', name: 'f', index: 1 }),
        fragment('"Paris"}', { index: 0 }),
        fragment(':"Rome"}', { index: 1 }),
      ),
    ).toEqual([paris, rome]);
  });

  it('takes an id and a name that come late, and once where each fragment repeats them', () => {
    expect(
      partsOf(
        fragment('{"q":', { index: 0 }),
        fragment('"Par', { index: 0, name: 'f' }),
        fragment('is"}', { index: 0, id: 'c1', name: 'f' }),
        fragment('', { index: 0, id: 'c1', name: 'f' }),
      ),
    ).toEqual([paris]);
  });

  it('takes an id that is another in each fragment for the first one', () => {
    expect(
      partsOf(
        fragment('{"q":', { index: 0, id: 'c1', name: 'f' }),
        fragment('"Paris"}', { index: 0, id: 'chatcmpl-tool-2' }),
      ),
    ).toEqual([paris]);
  });

  it.each([0, undefined])('tells whole calls apart that all have the index %s', (index) => {
    const numbered = index === undefined ? {} : { index };

    expect(
      partsOf(
        fragment('{"q":"Paris"}', { ...numbered, id: 'c1', name: 'f' }),
        fragment('{"q":"Rome"}', { ...numbered, id: 'c2', name: 'f' }),
      ),
    ).toEqual([paris, rome]);
    expect(
      partsOf(
        fragment('{"q":"Paris"}', { ...numbered, name: 'f' }),
        fragment('{"q":"Rome"}', { ...numbered, name: 'f' }),
      ).map((call) => call?.args),
    ).toEqual([paris.args, rome.args]);
  });

  it('keeps two calls of one id, and takes a call that came twice once', () => {
    const first = fragment('{"q":"Paris"}', { index: 0, id: 'c1', name: 'f' });

    expect(partsOf(first, fragment('{"q":"Rome"}', { index: 1, id: 'c1', name: 'f' }))).toEqual([
      paris,
      { ...rome, id: 'c1' },
    ]);
    expect(partsOf(first, first)).toEqual([paris]);
    expect(partsOf(first, { ...first, index: 1 })).toEqual([paris]);
  });

  it('makes two calls of two that are alike and have no ids', () => {
    const calls = [0, 1].map((index) => fragment('{}', { index, name: 'f' }));

    expect(partsOf(...calls)).toEqual([
      { name: 'f', args: {} },
      { name: 'f', args: {} },
    ]);
  });

  it('leaves an empty id to the engine, and arguments that are no JSON', () => {
    const malformedArgs = '{"q": "Par';

    expect(partsOf(fragment(malformedArgs, { index: 0, id: '', name: 'f' }))).toEqual([
      { name: 'f', args: {}, malformedArgs },
    ]);
    expect(partsOf(fragment(malformedArgs, { index: 0, id: 'c1', name: 'f' }))).toEqual([
      { id: 'c1', name: 'f', args: {}, malformedArgs },
    ]);
  });

  it('takes arguments that are no text, and the signature of a thought', () => {
    const calls = new WireCalls();
    calls.add(
      {
        id: 'c1',
        function: { name: 'f', arguments: { q: 'Paris' } },
        extra_content: { google: { thought_signature: 'c2ln' } },
      },
      0,
    );

    expect(calls.parts).toEqual([
      { functionCall: paris, thoughtSignature: 'c2ln', ...cameFrom({ provider: 'openai' }) },
    ]);
  });
});
