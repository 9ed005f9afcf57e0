import { fromGenaiSchema } from './genai-schema';

describe('fromGenaiSchema', () => {
  it('writes types as JSON Schema does, at every depth', () => {
    const schema = {
      type: 'OBJECT',
      properties: { list: { type: 'ARRAY', items: { anyOf: [{ type: 'STRING' }, { type: 'NUMBER' }] } } },
      required: ['list'],
    };

    expect(fromGenaiSchema(schema)).toEqual({
      type: 'object',
      properties: { list: { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } } },
      required: ['list'],
    });
  });

  it('says of what may be null that null is one of its types, and one of its choices', () => {
    const schema = {
      type: 'OBJECT',
      properties: {
        color: { type: 'STRING', format: 'enum', enum: ['red'], nullable: true },
        either: { anyOf: [{ type: 'STRING' }], nullable: true, description: 'Either.' },
        never: { type: 'STRING', nullable: false },
      },
    };

    expect(fromGenaiSchema(schema).properties).toEqual({
      color: { type: ['string', 'null'], enum: ['red', null] },
      either: { description: 'Either.', anyOf: [{ anyOf: [{ type: 'string' }] }, { type: 'null' }] },
      never: { type: 'string' },
    });
  });

  it('reads counts that are text, and drops what JSON Schema has no word for', () => {
    const schema = {
      type: 'STRING',
      minLength: '1',
      maxLength: '20',
      example: 'Bern',
      propertyOrdering: ['a'],
      title: 'City',
    };

    expect(fromGenaiSchema(schema)).toEqual({
      type: 'string',
      minLength: 1,
      maxLength: 20,
      examples: ['Bern'],
      title: 'City',
    });
  });

  it('leaves data alone, and knows an object by its properties', () => {
    const schema = { properties: { a: { type: 'TYPE_UNSPECIFIED', default: { type: 'OBJECT' } } } };

    expect(fromGenaiSchema(schema)).toEqual({
      type: 'object',
      properties: { a: { default: { type: 'OBJECT' } } },
    });
  });
});
