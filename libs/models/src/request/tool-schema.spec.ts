import { toolSchema } from './tool-schema';

const text = { type: 'string' };

describe('toolSchema', () => {
  it('leaves an object as it is, and makes one of a schema without a type', () => {
    const schema = {
      type: 'object',
      properties: { a: { anyOf: [text, { type: 'number' }] } },
      required: ['a'],
    };

    expect(toolSchema(schema)).toEqual(schema);
    expect(toolSchema({ properties: { a: text } })).toEqual({ type: 'object', properties: { a: text } });
    expect(toolSchema({})).toEqual({ type: 'object', properties: {} });
  });

  it('follows a reference at the top, and keeps what others refer to', () => {
    const $defs = { Args: { type: 'object', properties: { a: { $ref: '#/$defs/Text' } } }, Text: text };

    expect(toolSchema({ $ref: '#/$defs/Args', $defs })).toEqual({
      type: 'object',
      properties: { a: { $ref: '#/$defs/Text' } },
      $defs,
    });
    const loop = { Args: { $ref: '#/$defs/Args' } };
    expect(toolSchema({ $ref: '#/$defs/Args', $defs: loop })).toEqual({
      type: 'object',
      properties: {},
      $defs: loop,
    });
  });

  it.each(['anyOf', 'oneOf'])(
    'takes of %s at the top what any of them has, required where all do',
    (keyword) => {
      const one = { type: 'object', properties: { kind: text, a: text }, required: ['kind', 'a'] };
      const other = { type: 'object', properties: { kind: text, b: text }, required: ['kind'] };

      expect(toolSchema({ [keyword]: [one, other] })).toEqual({
        type: 'object',
        properties: { kind: text, a: text, b: text },
        required: ['kind'],
      });
      const atLeastOne = { type: 'object', properties: { a: text, b: text }, required: ['b'] };
      expect(toolSchema({ ...atLeastOne, [keyword]: [{ required: ['a'] }, { required: ['b'] }] })).toEqual(
        atLeastOne,
      );
    },
  );

  it('takes of allOf at the top what all of them have together', () => {
    const $defs = { Base: { properties: { a: text }, required: ['a'] } };
    const schema = { allOf: [{ $ref: '#/$defs/Base' }, { properties: { b: text }, required: ['b'] }], $defs };

    expect(toolSchema(schema)).toEqual({
      type: 'object',
      properties: { a: text, b: text },
      required: ['a', 'b'],
      $defs,
    });
  });

  it('takes of a field what any alternative takes, each of its schemas once', () => {
    const file = { properties: { kind: { const: 'file' }, path: text }, required: ['kind', 'path'] };
    const url = { properties: { kind: { const: 'url' }, url: text }, required: ['kind', 'url'] };
    const again = { anyOf: [url, { properties: { kind: { const: 'url' } }, required: ['kind'] }] };

    expect(toolSchema({ anyOf: [file, again] })).toEqual({
      type: 'object',
      properties: { kind: { anyOf: [{ const: 'file' }, { const: 'url' }] }, path: text, url: text },
      required: ['kind'],
    });
  });

  it('reads a schema once that refers to itself from many places', () => {
    let visits = 0;
    const Args = {
      properties: { a: text },
      get anyOf() {
        visits += 1;
        return [{ $ref: '#/$defs/Args' }, { $ref: '#/$defs/Args' }, { properties: { b: text } }];
      },
    };

    const { properties } = toolSchema({ $ref: '#/$defs/Args', $defs: { Args: Object.freeze(Args) } });

    expect(properties).toEqual({ a: text, b: text });
    // It is read, and what stands among the definitions is looked through.
    expect(visits).toBeLessThanOrEqual(2);
  });

  it('stays small where each schema is a choice between two that are made of the same', () => {
    const $defs: Record<string, object> = {
      A0: { properties: { a: { const: 1 } } },
      B0: { properties: { a: { const: 2 } } },
    };
    for (let level = 1; level < 26; level++) {
      const refs = ['A', 'B'].map((name) => ({ $ref: `#/$defs/${name}${level - 1}` }));
      $defs[`A${level}`] = { anyOf: refs };
      $defs[`B${level}`] = { anyOf: [...refs].reverse() };
    }

    const { properties } = toolSchema({ anyOf: [{ $ref: '#/$defs/A25' }], $defs });

    expect(properties).toEqual({ a: { anyOf: [{ const: 1 }, { const: 2 }] } });
  });

  it('keeps what is referred to within a choice, under a name that is free', () => {
    const node = {
      properties: {
        child: { $ref: '#/anyOf/0' },
        a: { type: 'array', items: { $ref: '#/anyOf/1/properties/b' } },
      },
    };
    const other = { properties: { b: text, lost: { $ref: '#/anyOf/7' } } };

    const { properties, $defs } = toolSchema({ anyOf: [node, other], $defs: { kept1: text } });

    expect(properties).toEqual({
      child: {
        properties: {
          child: { $ref: '#/$defs/kept2' },
          a: { type: 'array', items: { $ref: '#/$defs/kept3' } },
        },
      },
      a: { type: 'array', items: { $ref: '#/$defs/kept3' } },
      b: text,
      lost: { $ref: '#/anyOf/7' },
    });
    expect($defs).toEqual({
      kept1: text,
      kept2: {
        properties: {
          child: { $ref: '#/$defs/kept2' },
          a: { type: 'array', items: { $ref: '#/$defs/kept3' } },
        },
      },
      kept3: text,
    });
  });

  it('takes a field that refers to the one of another alternative for the same', () => {
    const one = { properties: { a: text } };
    const other = { properties: { a: { $ref: '#/anyOf/0/properties/a' } } };

    expect(toolSchema({ anyOf: [one, other] })).toEqual({ type: 'object', properties: { a: text } });
  });
});
