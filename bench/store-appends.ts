import { randomUUID } from 'node:crypto';
import { type AppendUnit, type Handover, submitSchema } from '@skein/contracts';
import { AppendBatcher, submitInput } from '@skein/session-store';
import { type Pool } from 'pg';
import { anEvent, EVENTS_AT_ONCE } from './an-event';
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
  const sessions = runs.map((handover) => ({ handover, appendNo: 0 }));

  return {
    async run(seconds) {
      batches = 0;
      let events = 0;
      let spentMs = 0;
      while (spentMs < seconds * 1_000) {
        const stock = sessions.map((session) => unitsOf(session, load));
        events += stock.flat().length * load.eventsPerUnit;
        const begunAtMs = performance.now();
        await Promise.all(stock.map((units) => appendInTurn(batcher, units)));
        spentMs += performance.now() - begunAtMs;
      }
      return { eventsPerSecond: (events / spentMs) * 1_000, eventsPerBatch: round(events / batches) };
    },
  };
}

/** The session's part of the next `EVENTS_AT_ONCE`, which follow what it has. */
function unitsOf(session: { readonly handover: Handover; appendNo: number }, load: AppendLoad): AppendUnit[] {
  const count = Math.ceil(EVENTS_AT_ONCE / load.sessions / load.eventsPerUnit);
  return Array.from({ length: count }, () => aUnit(session.handover, ++session.appendNo, load.eventsPerUnit));
}

async function appendInTurn(batcher: AppendBatcher, units: readonly AppendUnit[]): Promise<void> {
  for (const unit of units) await batcher.append(unit);
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
