import { OpenAPIToolset, type OpenAPIToolsetOptions } from './openapi-toolset';

describe('documents', () => {
  const head = 'openapi: 3.1.0\ninfo: {title: x, version: "1"}\nservers: [{url: https://api.example}]\n';

  it.each<[string, OpenAPIToolsetOptions, string | RegExp]>([
    ['no document', {}, 'give one of'],
    ['two', { specStr: '{}', specDict: {} }, 'give one of'],
    ['a mistake in YAML', { specStr: 'openapi: [3' }, /at line 1, column/],
    ['a mistake in JSON', { specStr: '{\n "openapi": "3.0.0",\n "paths": {\n}' }, /at line \d, column/],
    ['Swagger 2', { specStr: 'swagger: "2.0"\npaths: {}' }, '#/openapi'],
    ['a file that is not there', { specFile: '/none.yaml' }, '/none.yaml cannot be read'],
    [
      'a parameter without a name',
      { specStr: `${head}paths: {/x: {get: {parameters: [{in: query}]}}}` },
      '#/paths/~1x/get/parameters/0/name',
    ],
    [
      'a reference to nothing',
      { specStr: `${head}paths: {/x: {get: {parameters: [{$ref: '#/components/nothing'}]}}}` },
      '#/paths/~1x/get/parameters/0: #/components/nothing leads to nothing',
    ],
    [
      'references in a ring',
      {
        specStr: `${head}paths: {/x: {get: {requestBody: {$ref: '#/components/a'}}}}\ncomponents: {a: {$ref: '#/components/b'}, b: {$ref: '#/components/a'}}`,
      },
      'lead back to themselves',
    ],
    [
      'row 24: a reference to a file',
      { specStr: `${head}paths: {/x: {$ref: 'file:///etc/passwd'}}` },
      '#/paths/~1x/$ref: file:///etc/passwd lies outside',
    ],
    [
      'row 24: a reference to a URL',
      { specStr: `${head}components: {schemas: {A: {$ref: 'http://169.254.169.254/'}}}` },
      'lies outside',
    ],
    [
      'a server that is no URL',
      { specStr: `${head.replace('https://api.example', '/api')}paths: {/x: {get: {}}}` },
      '#/paths/~1x/get: /api is no URL',
    ],
    [
      'a bomb of aliases',
      {
        specStr: `a: &a [1,1,1,1,1,1,1,1,1]\n${'bcdefg'
          .split('')
          .map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdef'[at]}`).join(',')}]`)
          .join('\n')}`,
      },
      /alias/i,
    ],
  ])('with %s are refused where they are loaded', (_case, options, told) => {
    const make = () => new OpenAPIToolset(options);

    expect(make).toThrow(expect.objectContaining({ code: 'openapi.document' }));
    expect(make).toThrow(told);
  });

  it('that break the rules of OpenAPI elsewhere are told where', async () => {
    const specStr = `${head}paths: {/x: {get: {responses: {200: {description: 7}}}}}`;

    await expect(new OpenAPIToolset({ specStr }).getTools()).rejects.toMatchObject({
      code: 'openapi.document',
      message: expect.stringContaining('description'),
    });
  });
});
