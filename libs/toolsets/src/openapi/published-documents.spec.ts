import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { OpenAPIToolset } from './openapi-toolset';

const examples = path.join(path.dirname(require.resolve('@readme/oas-examples/package.json')));
const BROKEN = path.join('3.0', 'json', 'response-http-behavior.json');
const files = [
  ['3.0', 'json'],
  ['3.1', 'json'],
  ['3.1', 'yaml'],
].flatMap(([version = '', kind = '']) =>
  readdirSync(path.join(examples, version, kind))
    .filter((file) => file.endsWith(`.${kind}`))
    .map((file) => path.join(version, kind, file))
    .filter((file) => file !== BROKEN),
);

describe('published documents', () => {
  it('are many', () => {
    expect(files.length).toBeGreaterThan(60);
  });

  it('one of them names a scheme that it does not have, and is told so', () => {
    const specFile = path.join(examples, BROKEN);

    expect(() => new OpenAPIToolset({ specFile })).toThrow(
      '#/paths/~1cache/get/security: there is no #/components/securitySchemes/api_key.',
    );
  });

  it.each(files)('%s becomes a tool for each operation', async (file) => {
    const specFile = path.join(examples, file);
    const toolset = new OpenAPIToolset({ specFile, serverUrl: 'https://api.example' });

    const tools = await toolset.getTools();

    const names = tools.map(({ name }) => name);
    expect(tools).toHaveLength(operationsIn(specFile));
    expect(new Set(names).size).toBe(names.length);
    for (const tool of tools) {
      expect(tool.name).toMatch(/^[a-z_][a-z0-9_]{0,63}$/);
      const schema = JSON.stringify(tool.getDeclaration().parametersJsonSchema);
      // Whatever is referred to is there.
      for (const [, name = ''] of schema.matchAll(/"#\/\$defs\/([^"]+)"/g)) {
        expect(JSON.parse(schema)).toHaveProperty(['$defs', name]);
      }
      expect(schema).not.toContain('#/components');
    }
  });
});

function operationsIn(file: string): number {
  // Counted without the reader under test.
  const text = readFileSync(file.replaceAll('yaml', 'json'), 'utf8');
  const { paths = {} } = JSON.parse(text) as { paths?: Record<string, Record<string, unknown>> };
  const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', '$ref'];
  return Object.values(paths).flatMap((item) => methods.filter((method) => method in item)).length;
}
