import { type OpenAPIToolsetOptions } from './openapi-toolset';
import { aContext, aDocument, aToolset, call, inQuery, seen } from '../../test/api-server';

describe('the names of the tools', () => {
  it('are operation ids in snake_case, else method and path, none twice and none too long', async () => {
    const document = aDocument({
      '/pets': { get: { operationId: 'listAllPets' }, post: {} },
      '/pets/{petId}': {
        get: { parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'string' } }] },
        put: {
          operationId: 'list_all-pets',
          parameters: [{ name: 'petId', in: 'path', required: true, schema: { type: 'string' } }],
        },
      },
      '/long': { get: { operationId: 'x'.repeat(200) }, post: { operationId: '2 HTTPCalls' } },
    });

    const tools = await aToolset(document).getTools();

    expect(tools.map(({ name }) => name)).toEqual([
      ...['list_all_pets', 'post_pets', 'get_pets_pet_id', 'list_all_pets_2'],
      ...['x'.repeat(60), '_2_http_calls'],
    ]);
  });

  it('go through the filter and get the prefix', async () => {
    const document = aDocument({ '/a': { get: { operationId: 'a' } }, '/b': { get: { operationId: 'b' } } });
    const toolset = aToolset(document, { toolFilter: ['b'], prefix: 'api' });

    expect((await toolset.getToolsWithPrefix(aContext())).map(({ name }) => name)).toEqual(['api_b']);
  });
});

describe('what the model is told', () => {
  it('is one object of all arguments, whose names do not clash', async () => {
    const document = aDocument(
      {
        '/pets/{id}': {
          put: {
            operationId: 'put',
            parameters: [
              {
                name: 'id',
                in: 'path',
                required: true,
                description: 'Which pet.',
                schema: { type: 'integer' },
              },
              inQuery('dryRun', { schema: { type: 'boolean', nullable: true, example: true } }),
            ],
            requestBody: {
              required: true,
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
            },
          },
        },
      },
      {
        components: {
          schemas: {
            Pet: {
              type: 'object',
              required: ['id', 'name', 'born'],
              properties: {
                id: { type: 'string' },
                name: { type: 'string' },
                born: { type: 'string', readOnly: true },
                parent: { $ref: '#/components/schemas/Pet' },
              },
            },
          },
        },
      },
    );

    const [tool] = await aToolset(document).getTools();

    expect(tool?.getDeclaration().parametersJsonSchema).toEqual({
      type: 'object',
      title: 'put_Arguments',
      properties: {
        id: { type: 'integer', description: 'Which pet.' },
        dry_run: { type: ['boolean', 'null'] },
        id_0: { type: 'string' },
        name: { type: 'string' },
        parent: { $ref: '#/$defs/Pet' },
      },
      required: ['id', 'id_0', 'name'],
      $defs: {
        Pet: expect.objectContaining({
          properties: expect.objectContaining({ parent: { $ref: '#/$defs/Pet' } }),
        }),
      },
    });
    await tool?.runAsync({ args: { id: 7, id_0: 'x', name: 'Rex' }, toolContext: aContext() });
    expect(seen).toMatchObject([{ url: '/v1/pets/7', body: '{"id":"x","name":"Rex"}' }]);
  });

  it('names what is missing before anything is sent', async () => {
    const document = aDocument({ '/x': { get: { parameters: [inQuery('q', { required: true })] } } });
    const [tool] = await aToolset(document).getTools();

    expect(tool?.refuseArguments({})).toContain('it needs q');
    expect(tool?.refuseArguments({ q: 1 })).toBeUndefined();
  });
});

describe('how calls run', () => {
  const document = () => aDocument({ '/x': { get: {}, put: {}, post: {}, patch: {}, delete: {} } });
  const policies = async (options: OpenAPIToolsetOptions = {}) =>
    Object.fromEntries(
      (await aToolset(document(), options).getTools()).map((tool) => [tool.name, tool.policy.sideEffect]),
    );

  it('is by their method: what HTTP calls repeatable is, the rest runs once', async () => {
    expect(await policies()).toEqual({
      ...{
        get_x: 'idempotent',
        put_x: 'idempotent',
        delete_x: 'idempotent',
        post_x: 'once',
        patch_x: 'once',
      },
    });
  });

  it('is repeatable with a key, which is sent', async () => {
    expect(await policies({ idempotencyHeader: true })).toMatchObject({ post_x: 'idempotent' });
    const { request } = await call({}, {}, { method: 'post', idempotencyHeader: true });
    expect(request?.headers['idempotency-key']).toBe('key-1');
  });

  it('is as the author says, for all operations or for each', async () => {
    const toolOptions: OpenAPIToolsetOptions['toolOptions'] = ({ endpoint }) =>
      endpoint.method === 'post'
        ? { pool: 'slow', timeoutMs: 5_000, maxConcurrency: 2, sideEffect: 'idempotent' }
        : undefined;
    const toolset = aToolset(document(), {
      toolOptions,
      requireConfirmation: ({ name }) => name === 'delete_x',
    });

    expect(toolset.getTool('post_x')).toMatchObject({
      pool: 'slow',
      policy: { timeoutMs: 5_000, maxConcurrency: 2, sideEffect: 'idempotent' },
    });
    expect(await toolset.getTool('delete_x')?.checkRequireConfirmation()).toBe(true);
    expect(await toolset.getTool('get_x')?.checkRequireConfirmation()).toBe(false);
  });

  it('is refused where an option is none, for all operations or for one', () => {
    const wrong = { timeoutMS: 5_000 };

    expect(() => aToolset(document(), { toolOptions: { pool: 'a.b' } })).toThrow(
      /"a\.b" is no name of a pool/,
    );
    for (const toolOptions of [wrong, () => wrong] as OpenAPIToolsetOptions['toolOptions'][])
      expect(() => aToolset(document(), { toolOptions })).toThrow(
        /^The tool options of the operation "\w+": timeoutMS: is no option of a tool, perhaps "timeoutMs" is meant\.$/,
      );
  });
});
