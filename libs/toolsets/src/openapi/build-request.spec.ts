import { aContext, aDocument, aToolset, call, inQuery, seen } from '../../test/api-server';

describe('parameters', () => {
  const list = [3, 'a b'];
  const object = { r: 1, g: '&' };

  it.each([
    ['form', { explode: true }, list, 'p=3&p=a%20b'],
    ['form', { explode: false }, list, 'p=3,a%20b'],
    ['form', {}, object, 'r=1&g=%26'],
    ['form', { explode: false }, object, 'p=r,1,g,%26'],
    ['spaceDelimited', { explode: false }, list, 'p=3%20a%20b'],
    ['pipeDelimited', { explode: false }, list, 'p=3|a%20b'],
    ['deepObject', {}, { a: { b: [1, 2] }, c: 'x' }, 'p[a][b]=1&p[a][b]=2&p[c]=x'],
    ['form', { allowReserved: true }, 'a/b?c', 'p=a/b?c'],
  ])('are written into the query in style %s %j: %j as %s', async (style, more, value, written) => {
    const { request } = await call({ parameters: [inQuery('p', { style, ...more })] }, { p: value });

    expect(request?.url).toBe(`/v1/x?${written}`);
  });

  it('of the query may be JSON', async () => {
    const parameter = {
      name: 'filter',
      in: 'query',
      content: { 'application/json': { schema: { type: 'object' } } },
    };

    const { request } = await call({ parameters: [parameter] }, { filter: { a: [1] } });

    expect(request?.url).toBe(`/v1/x?filter=${encodeURIComponent('{"a":[1]}')}`);
  });

  it.each([
    ['simple', false, list, '3,a%20b'],
    ['simple', true, object, 'r=1,g=%26'],
    ['label', true, list, '.3.a%20b'],
    ['matrix', false, list, ';p=3,a%20b'],
    ['matrix', true, object, ';r=1;g=%26'],
    ['simple', false, '../../admin?x#y', '..%2F..%2Fadmin%3Fx%23y'],
  ])(
    'are written into the path in style %s, explode %s: %j as %s',
    async (style, explode, value, written) => {
      const parameter = { name: 'p', in: 'path', required: true, schema: {}, style, explode };

      const { request } = await call({ parameters: [parameter] }, { p: value }, { path: '/x/{p}/y' });

      expect(request?.url).toBe(`/v1/x/${written}/y`);
    },
  );

  it.each(['.', '..', ''])('of the path that would make another one are refused: %j', async (value) => {
    const parameter = { name: 'p', in: 'path', required: true, schema: {} };

    await expect(call({ parameters: [parameter] }, { p: value }, { path: '/x/{p}' })).rejects.toMatchObject({
      code: 'openapi.argument',
    });
    expect(seen).toHaveLength(0);
  });

  it('go into headers and cookies, and nothing else comes in by them', async () => {
    const parameters = [
      { name: 'X-Trace', in: 'header', schema: {} },
      { name: 'Authorization', in: 'header', schema: {} },
      { name: 'taste', in: 'cookie', schema: {} },
    ];

    const { request } = await call(
      { parameters },
      { x_trace: [1, 2], authorization: 'mine', taste: 'a;b=c' },
    );

    expect(request?.headers).toMatchObject({ 'x-trace': '1,2', cookie: 'taste=a%3Bb%3Dc' });
    expect(request?.headers.authorization).toBeUndefined();
    await expect(call({ parameters }, { x_trace: 'a\r\nx-other: 1' })).rejects.toMatchObject({
      code: 'openapi.argument',
    });
  });

  it('of a path hold for its operations, which may say it in their own way', async () => {
    const document = aDocument({ '/x': { get: { parameters: [inQuery('b', { required: true })] } } });
    Object.assign((document as { paths: Record<string, object> }).paths['/x'] ?? {}, {
      parameters: [inQuery('a'), inQuery('b')],
    });
    const [tool] = await aToolset(document).getTools();

    expect(tool?.getDeclaration().parametersJsonSchema).toMatchObject({
      properties: { a: {}, b: {} },
      required: ['b'],
    });
  });
});

describe('bodies', () => {
  const post = (contentType: string, schema: object) => ({
    requestBody: { required: true, content: { [contentType]: { schema } } },
  });
  const fields = { type: 'object', properties: { a: {}, b: {}, file: { type: 'string', format: 'binary' } } };

  it.each([
    ['application/json', fields, { a: 1, b: [null] }, 'application/json', '{"a":1,"b":[null]}'],
    ['application/vnd.api+json', { type: 'array' }, { body: [1] }, 'application/vnd.api+json', '[1]'],
    ['application/json', { type: 'string' }, { body: 'x' }, 'application/json', '"x"'],
    [
      'application/x-www-form-urlencoded',
      fields,
      { a: 'x y', b: [1, 2] },
      'application/x-www-form-urlencoded;charset=UTF-8',
      'a=x+y&b=1&b=2',
    ],
    ['text/plain', { type: 'string' }, { body: 'hello' }, 'text/plain', 'hello'],
    ['application/xml', { type: 'string' }, { body: '<a/>' }, 'application/xml', '<a/>'],
  ])('are sent as %s', async (contentType, schema, args, header, body) => {
    const { request } = await call(post(contentType, schema), args, { method: 'post' });

    expect([request?.headers['content-type'], request?.body]).toEqual([header, body]);
  });

  it('of files are artifacts of the session, which the model names', async () => {
    const context = aContext();
    await context.saveArtifact('cat.txt', { inlineData: { mimeType: 'text/plain', data: 'bWVvdw==' } });

    const { request } = await call(
      post('multipart/form-data', fields),
      { a: 'x', file: 'cat.txt' },
      { method: 'post', context },
    );
    const bytes = await call(
      post('application/octet-stream', {}),
      { body: 'cat.txt' },
      { method: 'post', context },
    );

    expect(request?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(request?.body).toMatch(
      /name="a"\r\n\r\nx\r\n[^]*name="file"; filename="cat.txt"\r\nContent-Type: text\/plain\r\n\r\nmeow/,
    );
    expect(bytes.request?.body).toBe('meow');
    await expect(
      call(post('multipart/form-data', fields), { file: 'dog' }, { method: 'post' }),
    ).rejects.toMatchObject({
      code: 'openapi.argument',
    });
  });
});
