import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ToolResultMessage } from '@skein/contracts';
import { Metrics, silentLogger } from '@skein/platform';
import { type StorePool } from '@skein/session-store';
import { EndedCalls } from './ended-calls';
import { type ResultForwarder } from './result-forwarder';
import { ServiceMetrics } from '../service-metrics';

it('leaves connections to those who append, however many results come at once', async () => {
  const answers: (() => void)[] = [];
  const query = (): Promise<unknown> =>
    new Promise((resolve) => answers.push(() => resolve({ rows: [{ stored: true, status: 'done' }] })));
  const ended = new EndedCalls({
    pool: { query } as unknown as StorePool,
    forwarder: { forwardStored: async () => ({}) } as unknown as ResultForwarder,
    admission: { ended: () => undefined },
    metrics: new ServiceMetrics(new Metrics()),
    logger: silentLogger,
  });

  const ends = Array.from({ length: 32 }, (_none, n) => ended.end(aResult(n), { heldIn: 1 }));
  await nextTurn();
  expect(answers).toHaveLength(4);

  for (let n = 0; n < ends.length; n++) {
    answers[n]?.();
    await nextTurn();
  }
  expect(new Set(await Promise.all(ends))).toEqual(new Set(['stored']));
});

function aResult(n: number): ToolResultMessage {
  const ticket = { dispatchId: `d-${n}`, attempt: 1, deadlineMs: 0, hmac: '' };
  return {
    tool: 'io',
    invocationId: 'e',
    ticket,
    outcome: { kind: 'result', value: n },
  } as ToolResultMessage;
}
