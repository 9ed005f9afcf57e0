import { DBOS } from '@dbos-inc/dbos-sdk';
import { Pool } from 'pg';
import { anEvent, type StoredEvent } from './event';
import type { StartPeer } from './peer';
import { add, assertAnswer, type Content, modelAnswers } from './script';

const connections = Number(process.env['PEER_POOL'] ?? 10);

export const startDbos: StartPeer = async ({ databaseUrl }) => {
  const pool = new Pool({ connectionString: databaseUrl, max: connections });
  await pool.query(`create table events (session_id text, seq bigserial, id uuid unique, body jsonb,
    primary key (session_id, seq))`);
  DBOS.setConfig({
    name: 'skein-bench',
    systemDatabaseUrl: databaseUrl,
    systemDatabasePoolSize: connections,
    logLevel: 'warn',
  });
  const turn = DBOS.registerWorkflow(turnWorkflow(pool), { name: 'turn' });
  await DBOS.launch();
  return {
    async turn(sessionId, text) {
      assertAnswer(await turn(sessionId, text));
    },
    async stop() {
      await DBOS.shutdown();
      await pool.end();
    },
  };
};

function turnWorkflow(pool: Pool) {
  const INSERT = `insert into events (session_id, id, body)
    select $1, (value ->> 'id')::uuid, value from jsonb_array_elements($2::jsonb) on conflict (id) do nothing`;
  const append = (sessionId: string, batch: readonly StoredEvent[]): Promise<void> =>
    DBOS.runStep(
      async () => {
        await pool.query({ name: 'append', text: INSERT, values: [sessionId, JSON.stringify(batch)] });
      },
      { name: 'append' },
    );
  return async (sessionId: string, text: string): Promise<string | undefined> => {
    const invocationId = DBOS.workflowID ?? '';
    const user: Content = { role: 'user', parts: [{ text }] };
    const called = await DBOS.runStep(
      async () => {
        const { rows } = await pool.query<{ body: StoredEvent }>({
          name: 'history',
          text: 'select body from events where session_id = $1 order by seq',
          values: [sessionId],
        });
        return modelAnswers([...rows.map(({ body }) => body.content), user]);
      },
      { name: 'model' },
    );
    await append(sessionId, [
      anEvent({ invocationId, author: 'user', content: user }),
      anEvent({ invocationId, author: 'bench', content: called }),
    ]);
    const call = called.parts[0]?.functionCall;
    if (!call) throw new Error('the model called no tool');
    const response = await DBOS.runStep(async () => add(call.args), { name: 'add' });
    const result: Content = { role: 'user', parts: [{ functionResponse: { name: 'add', response } }] };
    const answer = await DBOS.runStep(async () => modelAnswers([user, called, result]), {
      name: 'model',
    });
    await append(sessionId, [
      anEvent({ invocationId, author: 'bench', content: result }),
      anEvent({ invocationId, author: 'bench', content: answer }),
    ]);
    return answer.parts[0]?.text;
  };
}
