import { startGateway, type RunningGateway } from '../../apps/gateway/test/running-gateway';

const artifacts = '/apps/quickstart/users/user/sessions/s/artifacts';
const png = { inlineData: { mimeType: 'image/png', data: 'AAECAw==' } };

describe('artifacts over HTTP (B60)', () => {
  let gateway: RunningGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  const send = async (method: string, path: string, body?: object) => {
    const answer = await gateway.ask({ method, path: `${artifacts}${path}`, body });
    return { status: answer.status, body: JSON.parse(answer.text) as unknown };
  };
  const save = (filename: string, artifact: object, more = {}) =>
    send('POST', '', { filename, artifact, ...more });
  const get = async (path: string) => (await send('GET', path)).body;

  it('saves versions, and answers what is known of each', async () => {
    const first = await save('report.txt', { text: 'one' }, { customMetadata: { by: 'ada' } });
    const second = await save('report.txt', { inline_data: { mime_type: 'image/png', data: 'AAECAw==' } });

    expect(first).toEqual({
      status: 200,
      body: {
        version: 0,
        canonicalUri: 'artifact://apps/quickstart/users/user/sessions/s/artifacts/report.txt/versions/0',
        customMetadata: { by: 'ada' },
        mimeType: 'text/plain',
        createTime: 1_763_640_000.5,
      },
    });
    expect(second.body).toMatchObject({ version: 1, mimeType: 'image/png', customMetadata: {} });
    expect(await get('/report.txt/versions')).toEqual([0, 1]);
    expect(await get('/report.txt/versions/metadata')).toEqual([first.body, second.body]);
    expect(await get('/report.txt/versions/0/metadata')).toEqual(first.body);
    expect(await get('/report.txt/versions/latest/metadata')).toEqual(second.body);
  });

  it('loads the latest version, or the one asked for', async () => {
    await save('report.txt', { text: 'one' });
    await save('report.txt', png);

    expect(await get('')).toEqual(['report.txt']);
    expect(await get('/report.txt')).toEqual(png);
    expect(await get('/report.txt?version=0')).toEqual({ text: 'one' });
    expect(await get('/report.txt/versions/0')).toEqual({ text: 'one' });
    expect(await get('/report.txt/versions/latest')).toEqual(png);
  });

  it.each([
    ['a/b/c.txt', 'a/b/c.txt'],
    ['a/b/c.txt', 'a%2Fb%2Fc.txt'],
    ['user:folder/me.png', 'user:folder/me.png'],
    ['ü 日本?.txt', encodeURIComponent('ü 日本?.txt')],
    ['versions', 'versions'],
    ['x/versions/1', encodeURIComponent('x/versions/1')],
  ])('takes the name %s, sent as %s', async (filename, sent) => {
    await save(filename, { text: 'one' });
    await save(filename, { text: 'two' });

    expect(await get(`/${sent}`)).toEqual({ text: 'two' });
    expect(await get(`/${sent}/versions`)).toEqual([0, 1]);
    expect(await get(`/${sent}/versions/0`)).toEqual({ text: 'one' });
    expect(await get(`/${sent}/versions/metadata`)).toHaveLength(2);
  });

  it('deletes a name, and answers null; twice does no harm', async () => {
    await save('a/b', { text: 'one' });

    expect(await send('DELETE', '/a/b')).toEqual({ status: 200, body: null });
    expect(await send('DELETE', '/a/b')).toEqual({ status: 200, body: null });

    expect(await get('')).toEqual([]);
    expect(await send('GET', '/a/b')).toMatchObject({
      status: 404,
      body: { detail: 'Artifact not found', code: 'artifact.not-found' },
    });
  });

  it('answers 404 for a version that is not there', async () => {
    await save('a', { text: 'one' });

    const paths = ['/a/versions/1', '/a?version=1', '/a/versions/1/metadata', '/b', '/b/versions/latest'];
    for (const path of paths) expect(await send('GET', path)).toMatchObject({ status: 404 });
    expect(await get('/b/versions')).toEqual([]);
  });

  it.each(['/a/versions/x', '/a/versions/-1', '/a?version=1.5', '/a?version=', '/a/versions/x/metadata'])(
    'refuses the version in %s',
    async (path) => {
      const { status, body } = await send('GET', path);

      expect(status).toBe(422);
      expect(body).toMatchObject({ detail: expect.stringContaining('Invalid version ID') as unknown });
    },
  );

  it.each([
    ['no filename', { artifact: png }, 'request.invalid'],
    ['no artifact', { filename: 'a' }, 'request.invalid'],
    ['an empty artifact', { filename: 'a', artifact: {} }, 'request.invalid'],
    ['metadata that is a list', { filename: 'a', artifact: png, customMetadata: [1] }, 'request.invalid'],
    ['a name that leads out', { filename: '../../etc/passwd', artifact: png }, 'artifact.name'],
    [
      "a reference to another user's",
      {
        filename: 'a',
        artifact: {
          fileData: { fileUri: 'artifact://apps/quickstart/users/eve/sessions/s/artifacts/x/versions/0' },
        },
      },
      'artifact.reference',
    ],
  ])('refuses to save %s', async (_name, body, code) => {
    const answer = await send('POST', '', body);

    expect([403, 422]).toContain(answer.status);
    expect(answer.body).toMatchObject({ code });
    expect(await get('')).toEqual([]);
  });
});
