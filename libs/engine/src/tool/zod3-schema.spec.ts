import { calls, FakeLlm, runTurn, text } from '@skein/testing';
import { z as z4 } from 'zod';
import { z } from 'zod/v3';
import { LlmAgent } from '../agent/llm-agent';
import { getFunctionResponses } from '../event/function-parts';
import { parametersOf } from './function-declaration';
import { FunctionTool } from './function-tool';
import { fromZod3, isZod3, type Zod3Schema } from './zod3-schema';

describe('fromZod3', () => {
  it.each<[string, Zod3Schema, unknown]>([
    [
      'a text',
      z.string().min(1).max(9).regex(/^a/),
      { type: 'string', minLength: 1, maxLength: 9, pattern: '^a' },
    ],
    [
      'a text of a format',
      z.string().email().describe('Whose.'),
      { type: 'string', format: 'email', description: 'Whose.' },
    ],
    ['a number', z.number().positive().max(9), { type: 'number', exclusiveMinimum: 0, maximum: 9 }],
    ['a whole number', z.number().int().min(1), { type: 'integer', minimum: 1 }],
    ['a yes or no', z.boolean(), { type: 'boolean' }],
    ['a choice', z.enum(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
    ['one value', z.literal('a'), { const: 'a' }],
    [
      'a list',
      z.array(z.string()).min(1).max(2),
      { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 2 },
    ],
    [
      'a list of a length',
      z.array(z.any()).length(2),
      { type: 'array', items: {}, minItems: 2, maxItems: 2 },
    ],
    ['what may be null', z.string().nullable(), { anyOf: [{ type: 'string' }, { type: 'null' }] }],
    ['what has a default', z.number().default(3), { type: 'number', default: 3 }],
    ['a union', z.union([z.string(), z.null()]), { anyOf: [{ type: 'string' }, { type: 'null' }] }],
    ['a record', z.record(z.number()), { type: 'object', additionalProperties: { type: 'number' } }],
    ['what is refined or made into something else', z.string().transform(Number), { type: 'string' }],
    ['what is read only', z.string().readonly(), { type: 'string' }],
  ])('shows %s', (_what, schema, expected) => {
    expect(fromZod3(schema)).toEqual(expected);
  });

  it('shows an object: its fields, which of them it needs, and whether there may be others', () => {
    const schema = z
      .object({
        kind: z.discriminatedUnion('is', [
          z.object({ is: z.literal('a') }),
          z.object({ is: z.literal('b') }),
        ]),
        maybe: z.string().optional(),
        some: z.number().default(1),
      })
      .strict();

    expect(fromZod3(schema)).toEqual({
      type: 'object',
      properties: {
        kind: {
          anyOf: ['a', 'b'].map((value) => ({
            type: 'object',
            properties: { is: { const: value } },
            required: ['is'],
          })),
        },
        maybe: { type: 'string' },
        some: { type: 'number', default: 1 },
      },
      required: ['kind'],
      additionalProperties: false,
    });
    expect(fromZod3(z.object({}).catchall(z.string()))).toMatchObject({
      additionalProperties: { type: 'string' },
    });
    expect(fromZod3(z.object({}))).toEqual({ type: 'object', properties: {} });
  });

  it.each([
    ['a date', z.object({ when: z.date() })],
    ['a map', z.object({ m: z.map(z.string(), z.string()) })],
    ['a function', z.object({ f: z.function() })],
    ['a list as the whole', z.array(z.string())],
  ])('%s is refused when a tool is built of it', (_what, schema) => {
    expect(() => parametersOf('probe', schema)).toThrow(expect.objectContaining({ code: 'tool.schema' }));
  });

  it('is told from zod 4 and from JSON Schema by its shape', () => {
    expect([z.object({}), z4.object({}), { type: 'object' }].map(isZod3)).toEqual([true, false, false]);
  });
});

describe('a tool with a zod 3 schema', () => {
  it('gets arguments parsed by that schema; what does not fit is told to the model', async () => {
    const tool = new FunctionTool({
      name: 'probe',
      description: 'Probes.',
      parameters: z.object({ count: z.number(), unit: z.string().default('m') }),
      execute: ({ count, unit }) => `${count + 1} ${unit}`,
    });
    const model = new FakeLlm([
      [
        calls(
          { id: 'c1', name: 'probe', args: { count: 1 } },
          { id: 'c2', name: 'probe', args: { count: 'x' } },
          { id: 'c3', name: 'probe', args: {} },
        ),
      ],
      [text('done')],
    ]);

    const { events } = await runTurn(new LlmAgent({ name: 'root', model, tools: [tool] }));

    expect(events.flatMap(getFunctionResponses)).toMatchObject([
      { response: { result: '2 m' } },
      { response: { error: expect.stringContaining('do not match') } },
      { response: { error: expect.stringContaining('not present:\ncount') } },
    ]);
  });
});
