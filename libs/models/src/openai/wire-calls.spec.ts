import { cameFrom } from '../request/part-origin';
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

  it.each([
    ['in pieces', ['get_', 'weath', 'er']],
    ['whole in each fragment', ['get_weather', 'get_weather', 'get_weather']],
    ['as far as it came', ['get_', 'get_weath', 'get_weather']],
    ['once, and then empty', ['get_weather', '', '']],
  ])('takes a name that comes %s', (_how, names) => {
    const [first = '', ...others] = names;
    const given = [
      fragment('', { index: 0, id: 'c1', name: first }),
      ...others.map((name) => fragment('', { index: 0, name })),
    ];
    const written = [fragment('{"q":', { index: 0 }), fragment('"Paris"}', { index: 0 })];

    expect(partsOf(...given, ...written)).toEqual([{ ...paris, name: 'get_weather' }]);
  });

  it('tells calls apart that are named without a place and an id before their arguments come', () => {
    expect(
      partsOf(
        fragment('', { name: 'f' }),
        fragment('{"q":"Paris"}'),
        fragment('', { name: 'g' }),
        fragment('{"q":'),
        fragment('"Rome"}'),
      ),
    ).toEqual([
      { name: 'f', args: paris.args },
      { name: 'g', args: rome.args },
    ]);
  });

  it.each([0, undefined])('puts fragments together by id where all have the index %s', (index) => {
    const numbered = index === undefined ? {} : { index };

    expect(
      partsOf(
        fragment('', { ...numbered, id: 'c1', name: 'f' }),
        fragment('', { ...numbered, id: 'c2', name: 'f' }),
        fragment('{"q":', { ...numbered, id: 'c1' }),
        fragment('{"q":"Rome"}', { ...numbered, id: 'c2' }),
        fragment('"Paris"}', { ...numbered, id: 'c1' }),
      ),
    ).toEqual([paris, rome]);
  });

  it('gives a call without a name one that no tool has, for the engine to answer', () => {
    expect(partsOf(fragment('{"q":"Paris"}', { index: 0, id: 'c1' }))).toEqual([
      { ...paris, name: 'unnamed_tool' },
    ]);
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

  it('parses no more than once what comes in fragments that each name their call', () => {
    const parse = jest.spyOn(JSON, 'parse');
    const named = { id: 'c1', name: 'f', index: 0 };
    for (const [start, piece] of [
      ['{"q":"', 'x'.repeat(1_000)],
      ['{}', 'x'.repeat(1_000)],
      ['{', '"a":{"b":1},'.repeat(100)],
    ] as const) {
      const calls = new WireCalls();
      calls.add(fragment(start, named), 0);
      parse.mockClear();
      for (let at = 0; at < 200; at += 1)
        calls.add(fragment(piece, { ...named, ...(start === '{}' && { id: '' }) }), 0);
      expect(parse.mock.calls.length).toBeLessThan(10);
    }
    parse.mockRestore();
  });

  it('refuses more calls than can be compared', () => {
    const calls = new WireCalls();
    const add = (): void => {
      for (let index = 0; index < 100_000; index += 1) calls.add(fragment('{}', { name: 'f', index }), index);
    };

    expect(add).toThrow(expect.objectContaining({ code: 'model.too-large' }));
  });
});
