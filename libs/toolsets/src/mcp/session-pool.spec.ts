import { type McpSession } from './mcp-session';
import { SessionPool } from './session-pool';

// All of it that is used.
const aSession = { isUsable: true, close: async () => undefined } as unknown as McpSession;

describe('SessionPool', () => {
  it('lets nobody wait for a free session for longer than he has time: for now there is none', async () => {
    const pool = new SessionPool({ maxSessions: 1, idleMs: 1_000 });
    const taken = await pool.lease('ada', async () => aSession);

    const waiting = pool.use(
      'bob',
      async () => aSession,
      async () => 'done',
      AbortSignal.timeout(5),
    );

    await expect(waiting).rejects.toMatchObject({ kind: 'unavailable', code: 'mcp.unavailable' });
    taken.release();
    await pool.close();
  });
});
