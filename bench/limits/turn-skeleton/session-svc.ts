import type { NatsConnection } from '@nats-io/transport-node';
import {
  AckPolicy,
  jetstream,
  jetstreamManager,
  type JetStreamManager,
  RetentionPolicy,
} from '@nats-io/jetstream';
import { Pool, type QueryConfig } from 'pg';
import { GroupCommit, type Row } from './group-commit';
import type { Append, Result, Run, Submitted } from './messages';
import { APPEND, SUBMIT, TABLES } from './tables';

/** The skeleton's store: turns and events by group commit, and the results of tools handed to the runner. */
export async function startSessionSvc(nats: NatsConnection, databaseUrl: string): Promise<void> {
  const pool = new Pool({ connectionString: databaseUrl, max: 8 });
  await pool.query(TABLES);
  await createStreams(await jetstreamManager(nats));
  serveSubmit(nats, pool);
  serveAppend(nats, pool);
  const results = await jetstream(nats).consumers.get('RESULTS', 'skeleton');
  await results.consume({
    max_messages: 500,
    callback: (message) => {
      const { invocationId } = message.json<Result>();
      nats.request('runner.result', message.data, { timeout: 5_000 }).then(
        () => message.ack(),
        (error: unknown) => console.error(`the result of ${invocationId} was not taken`, error),
      );
    },
  });
}

async function createStreams(manager: JetStreamManager): Promise<void> {
  for (const name of ['TOOLS', 'RESULTS']) {
    const subjects = [`${name.toLowerCase()}.>`];
    await manager.streams.add({ name, subjects, retention: RetentionPolicy.Workqueue });
    await manager.consumers.add(name, {
      durable_name: 'skeleton',
      ack_policy: AckPolicy.Explicit,
      ack_wait: 30e9,
      max_ack_pending: 4_096,
    });
  }
  await manager.streams.add({ name: 'EVENTS', subjects: ['event.>'], max_age: 3_600e9 });
}

function serveSubmit(nats: NatsConnection, pool: Pool): void {
  const turns = new GroupCommit<Submitted>((keys, asked) =>
    rowsOf(pool, {
      ...SUBMIT,
      values: [keys, asked.map((one) => one.invocationId), asked.map((one) => JSON.stringify(one.text))],
    }),
  );
  const submit = async (submitted: Submitted): Promise<string> => {
    const row = await turns.add(submitted.sessionId, submitted);
    if (!row) throw new Error(`the turn of ${submitted.sessionId} was not taken`);
    const run: Run = { ...submitted, epoch: row.epoch };
    nats.publish('runner.run', JSON.stringify(run));
    return '{}';
  };
  nats.subscribe('rpc.submit', {
    callback: (_error, message) => void submit(message.json()).then((answer) => message.respond(answer)),
  });
}

function serveAppend(nats: NatsConnection, pool: Pool): void {
  const appends = new GroupCommit<Append>((keys, asked) =>
    rowsOf(pool, {
      ...APPEND,
      values: [
        keys,
        asked.map((one) => one.invocationId),
        asked.map((one) => one.epoch),
        asked.map((one) => one.appendNumber),
        asked.map((one) => JSON.stringify(one.events)),
        asked.map((one) => one.final),
      ],
    }),
  );
  const append = async (asked: Append): Promise<string> => {
    const row = await appends.add(asked.sessionId, asked);
    if (!row) return '{"fenced":true}';
    for (const event of asked.events) nats.publish(`event.${asked.sessionId}`, JSON.stringify(event));
    return '{}';
  };
  nats.subscribe('rpc.append', {
    callback: (_error, message) => void append(message.json()).then((answer) => message.respond(answer)),
  });
}

async function rowsOf(pool: Pool, query: QueryConfig): Promise<ReadonlyMap<string, Row>> {
  const { rows } = await pool.query<Row>(query);
  return new Map(rows.map((row) => [row.key, row]));
}
