import type { Request, Response } from 'express';
import { originGuard } from './origin-guard';

/** What the guard says of a request with this Host header; nothing when it lets it pass. */
function refusalOf(guard: ReturnType<typeof originGuard>, host: string): unknown {
  let refused: unknown = 'not called';
  // Of a request it reads these two.
  const request = { method: 'GET', headers: { host } } as Request;
  const response = { setHeader: () => undefined } as unknown as Response;
  void guard(request, response, (error?: unknown) => (refused = error));
  return refused;
}

describe('the host a request is for', () => {
  const denied = { code: 'request.host', kind: 'denied' };

  it('is any where every address is listened on and no names are given', () => {
    expect(refusalOf(originGuard('0.0.0.0'), 'evil.example')).toBeUndefined();
  });

  it.each(['evil.example', 'localhost.evil.example', '10.0.0.1', 'a b', ''])(
    'is not %j where others are given, whatever is listened on',
    (host) => {
      const allowed = ['localhost', '127.0.0.1', 'Chat.Example.org'];

      expect(refusalOf(originGuard('0.0.0.0', allowed), host)).toMatchObject(denied);
      expect(refusalOf(originGuard('127.0.0.1', allowed), host)).toMatchObject(denied);
    },
  );

  it('is looked at anew when it is another', () => {
    const guard = originGuard('127.0.0.1');

    expect(refusalOf(guard, 'localhost:8000')).toBeUndefined();
    expect(refusalOf(guard, 'evil.example')).toMatchObject(denied);
    expect(refusalOf(guard, 'localhost:8000')).toBeUndefined();
  });

  it.each(['localhost:8000', '127.0.0.1', 'CHAT.example.org:443', '[::1]:8000'])(
    'may be the given %j',
    (host) => {
      const guard = originGuard('0.0.0.0', ['localhost', '127.0.0.1', 'Chat.Example.org', '[::1]']);

      expect(refusalOf(guard, host)).toBeUndefined();
    },
  );
});
