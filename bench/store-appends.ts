import { randomUUID } from 'node:crypto';
import { type AppendUnit, type Handover, submitSchema } from '@skein/contracts';
import { AppendBatcher, submitInput } from '@skein/session-store';
import { type Pool } from 'pg';
import { anEvent } from './an-event';
import { round } from './report';

export interface AppendLoad {
  /** Behind the names of its figures. */
  readonly name: string;
  readonly sessions: number;
  readonly eventsPerUnit: number;
}

export interface AppendRound {
  readonly eventsPerSecond: number;
  readonly eventsPerBatch: number;
}

export interface Appends {
  run(seconds: number): Promise<AppendRound>;
}

const RUNNER_ID = 'bench';
/** Longer than any round: nobody renews these leases. */
const LEASE_MS = 3_600_000;

/** Runs that are ready to append, one in each session. */
export async function startAppends(pool: Pool, load: AppendLoad, connections: number): Promise<Appends> {
  let batches = 0;
  const onBatch = (): void => {
    batches++;
  };
  const batcher = new AppendBatcher(pool, { secret: 'bench', leaseMs: LEASE_MS, connections, onBatch });
  const runs = await Promise.all(Array.from({ length: load.sessions }, () => claimRun(pool)));
  const appendNos = runs.map(() => 0);

  return {
    async run(seconds) {
      batches = 0;
      let events = 0;
      const begunAtMs = performance.now();
      const endsAtMs = begunAtMs + seconds * 1_000;
      const append = async (handover: Handover, index: number): Promise<void> => {
        while (performance.now() < endsAtMs) {
          const appendNo = (appendNos[index] = (appendNos[index] ?? 0) + 1);
          await batcher.append(aUnit(handover, appendNo, load.eventsPerUnit));
          events += load.eventsPerUnit;
        }
      };
      await Promise.all(runs.map(append));
      const elapsedSeconds = (performance.now() - begunAtMs) / 1_000;
      return { eventsPerSecond: events / elapsedSeconds, eventsPerBatch: round(events / batches) };
    },
  };
}

async function claimRun(pool: Pool): Promise<Handover> {
  const submit = submitSchema.parse({
    ...{ appName: 'bench', userId: 'user', sessionId: randomUUID() },
    newMessage: { role: 'user', parts: [{ text: 'What is 1 + 2?' }] },
    runConfig: {},
    autoCreateSession: true,
  });
  const { handover } = await submitInput(pool, submit, { runnerId: RUNNER_ID, leaseMs: LEASE_MS });
  if (!handover) throw new Error('a new session was busy');
  return handover;
}

function aUnit(handover: Handover, appendNo: number, events: number): AppendUnit {
  const { appName, userId, sessionId, invocationId, epoch, segment } = handover;
  return {
    ...{ appName, userId, sessionId, invocationId, epoch, segment },
    runnerId: RUNNER_ID,
    appendNo,
    events: Array.from({ length: events }, (_none, index) => ({
      stepKey: `${segment}/root.0/event.${appendNo}.${index}`,
      event: anEvent(invocationId),
    })),
    records: [],
    calls: [],
    appliedCalls: [],
  };
}
