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
});
