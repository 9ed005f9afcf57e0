import { AdkError } from '@skein/contracts';
import { z } from 'zod';
import { LlmAgent } from '../agent/llm-agent';
import { type ParametersSchema, parametersOf } from './function-declaration';
import { FunctionTool } from './function-tool';

function thrownBy(build: () => unknown): AdkError | undefined {
  try {
    build();
    return undefined;
  } catch (error) {
    return AdkError.from(error);
  }
}

function aTool(parameters: ParametersSchema | undefined) {
  return new FunctionTool({ name: 'probe', description: 'Probes.', parameters, execute: () => null });
}

const node: Record<string, unknown> = { type: 'object' };
node.properties = { self: node };

describe('a schema that no model can be shown is refused when the tool is built', () => {
  it.each<[string, ParametersSchema, RegExp]>([
    ['a zod type without a JSON form', z.object({ when: z.date() }), /Date/],
    ['a zod bigint', z.object({ big: z.bigint() }), /BigInt/],
    ['a zod schema that is no object', z.string(), /must describe an object/],
    ['a union of objects', z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]), /an object/],
    ['a JSON Schema of a list', { type: 'array', items: { type: 'string' } }, /must describe an object/],
    ['an empty JSON Schema', {}, /must describe an object/],
    [
      'a function in it',
      { type: 'object', properties: { f: { default: () => 1 } } },
      /"properties\.f\.default" is a function/,
    ],
    [
      'a bigint in it',
      { type: 'object', properties: { n: { const: 1n } } },
      /"properties\.n\.const" is a bigint/,
    ],
    ['a schema that contains itself', node, /contains itself/],
    [
      'a type that is none',
      { type: 'object', properties: { n: { type: 'text' } } },
      /"text", which is no type/,
    ],
    [
      'a reference to nothing',
      { type: 'object', properties: { n: { $ref: '#/$defs/gone' } } },
      /refers to "#\/\$defs\/gone"/,
    ],
    ['a reference to elsewhere', { type: 'object', $ref: 'https://x.test/s.json' }, /refers to "https/],
  ])('%s', (_what, schema, reason) => {
    const error = thrownBy(() => aTool(schema));

    expect(error).toMatchObject({ kind: 'invalid', code: 'tool.schema' });
    expect(error?.message).toMatch(/"probe"/);
    expect(error?.message).toMatch(reason);
  });

  it('and so is an agent with such an output or input schema', () => {
    const output = thrownBy(() => new LlmAgent({ name: 'root', outputSchema: z.date() }));
    const input = thrownBy(() => new LlmAgent({ name: 'root', inputSchema: { type: 'string' } }));

    expect([output, input]).toMatchObject([{ code: 'tool.schema' }, { code: 'tool.schema' }]);
    expect(output?.message).toContain('"root"');
  });
});

describe('a tool without a name is refused when it is built', () => {
  it.each([
    ['no name at all', () => new FunctionTool({ description: '', execute: () => null })],
    ['an empty one', () => new FunctionTool({ name: '', description: '', execute: () => null })],
    [
      'one that no provider takes',
      () => new FunctionTool({ name: 'a tool', description: '', execute: () => null }),
    ],
  ])('%s', (_what, build) => {
    expect(thrownBy(build)).toMatchObject({ kind: 'invalid', code: 'tool.name' });
  });

  it('while a named function gives it its own, and `execute` may be chosen', () => {
    function weather() {
      return 'sunny';
    }

    const named = new FunctionTool({ description: '', execute: weather });
    const chosen = new FunctionTool({ name: 'execute', description: '', execute: () => null });

    expect([named.name, chosen.name]).toEqual(['weather', 'execute']);
  });
});

describe('parametersOf', () => {
  it('shows what a zod 4 schema takes in, and parses by it', () => {
    const schema = z.object({ city: z.string(), days: z.number().default(1) });

    const { jsonSchema, parse } = parametersOf('probe', schema);

    expect(jsonSchema).toMatchObject({ type: 'object', required: ['city'] });
    expect(jsonSchema).not.toHaveProperty('$schema');
    expect(parse({ city: 'Bern' })).toEqual({ city: 'Bern', days: 1 });
  });

  it('takes JSON Schema as it is, with references and fields named like its own words', () => {
    const schema = {
      type: 'object',
      properties: { type: { $ref: '#/$defs/kind' }, $ref: { type: 'string' }, enum: { enum: ['OBJECT'] } },
      $defs: { kind: { type: ['string', 'null'], default: { type: 'STRING' } } },
    };

    expect(parametersOf('probe', schema).jsonSchema).toEqual(schema);
  });

  it('takes recursion through references', () => {
    const tree: z.ZodType = z.object({ name: z.string(), children: z.array(z.lazy(() => tree)) });

    expect(parametersOf('probe', tree).jsonSchema).toMatchObject({ type: 'object' });
  });

  it('shows nothing for a tool without parameters', () => {
    expect(parametersOf('probe', undefined).jsonSchema).toBeUndefined();
  });
});
