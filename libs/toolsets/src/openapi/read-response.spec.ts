import { aContext, call, type Operation, seen } from '../../test/api-server';

describe('answers', () => {
  const none: Operation = {};

  it('are JSON, text, or that there is nothing', async () => {
    expect((await call(none, {})).answer).toEqual({ ok: true });
    expect((await call(none, {}, { path: '/text' })).answer).toBe('plain');
    expect((await call(none, {}, { path: '/empty' })).answer).toEqual({ status: 204 });
  });

  it('of bytes are base64 with their type, or an artifact', async () => {
    const context = aContext();
    const about = { mimeType: 'image/png', sizeBytes: 4 };

    const inline = await call(none, {}, { path: '/picture' });
    const kept = await call(none, {}, { path: '/picture', binaryResponses: 'artifact', context });

    expect(inline.answer).toEqual({ ...about, data: 'iVBORw==' });
    expect(kept.answer).toEqual({ ...about, artifact: 'get_picture-c-1', version: 0 });
    expect(context.actions.artifactDelta).toEqual({ 'get_picture-c-1': 0 });
  });

  it('that say no are told with their status and what they say', async () => {
    const { answer } = await call(none, {}, { path: '/status/404' });

    expect(answer).toEqual({
      error: 'GET /status/404 answered 404 Not Found',
      status: 404,
      body: { told: 'no' },
    });
  });

  it.each([429, 502, 503, 504])(
    'that say later (%d) are for another attempt, once the server wants one',
    async (status) => {
      await expect(call(none, {}, { path: `/status/${status}` })).rejects.toMatchObject({
        ...{ kind: 'unavailable', code: 'openapi.busy', retryAfterMs: 3_000 },
      });
    },
  );

  it('to what must not be done twice are told, whatever they are', async () => {
    const { answer } = await call(none, {}, { path: '/status/503', method: 'post' });

    expect(answer).toMatchObject({ status: 503 });
  });

  it('are bounded', async () => {
    await expect(call(none, {}, { path: '/large', maxResponseBytes: 10_000 })).rejects.toMatchObject({
      code: 'egress.too-large',
    });
  });

  it('row 24: are not fetched from a private address, neither the document’s own nor by a redirect', async () => {
    await expect(call(none, {}, { allow: [] })).rejects.toMatchObject({ code: 'egress.blocked' });
    expect(seen).toHaveLength(0);
    await expect(call(none, {}, { path: '/away' })).rejects.toMatchObject({ code: 'egress.blocked' });
  });
});
