import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { bodyOf, failureOf, Refused, textOf } from '../../gateway-client';

/** Sends each session a turn and leaves once it is accepted, so many at a time. @returns how often one was refused. */
export async function wakeAll(url: string, sessions: number, atATime: number): Promise<number> {
  const agent = new Agent({ maxSockets: atATime });
  let next = 0;
  let refused = 0;
  const drive = async (): Promise<void> => {
    while (next < sessions) refused += await wake(url, agent, `woken-${next++}`);
  };
  await Promise.all(Array.from({ length: atATime }, drive));
  agent.destroy();
  return refused;
}

/** The same request again whenever it was refused; with its key it is the same turn, should it have begun all the same. */
async function wake(url: string, agent: Agent, sessionId: string): Promise<number> {
  const key = randomUUID();
  for (let refused = 0; ; refused++) {
    try {
      await accept(new URL('/run_sse', url), agent, { sessionId, key });
      return refused;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      await pause(error.retryAfterMs);
    }
  }
}

/** The head of the answer comes when the invocation is stored; the rest is for somebody who stays. */
function accept(
  url: URL,
  agent: Agent,
  { sessionId, key }: { sessionId: string; key: string },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': key };
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      if (response.statusCode !== 200)
        return void textOf(response).then((text) => reject(failureOf(response, text)), reject);
      response.destroy();
      resolve();
    });
    sent.on('error', reject);
    sent.end(bodyOf({ userId: 'cron', sessionId, text: 'What is 1 + 2?' }));
  });
}
