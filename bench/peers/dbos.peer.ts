import { DBOS } from '@dbos-inc/dbos-sdk';
import { Pool } from 'pg';
import { anEvent, type StoredEvent } from './event';
import type { StartPeer } from './peer';
import { add, assertAnswer, type Content, modelAnswers } from './script';

/** DBOS's default (`systemDatabasePoolSize`); with 20 it did fewer turns: 218 a second, not 245, on two cores. */
const CONNECTIONS = 10;

/**
 * One workflow a turn and one step for each model call, tool call and append, all in one process and called directly:
 * no queue, nothing polls. "If a workflow is interrupted, upon restart it automatically resumes execution from the last
 * completed step" (docs.dbos.dev/typescript/tutorials/step-tutorial), so an append may run twice and is harmless then.
 * A datasource's transaction ("atomically committing both user-defined changes and a DBOS checkpoint",
 * docs.dbos.dev/typescript/tutorials/transaction-tutorial) takes more statements than that; those published for this
 * version of the SDK do not load with it. The user's event is stored with the call it leads to and the tool's result with
 * the answer, as Skein does it: the workflow's input is durable before its first step.
 */
export const startDbos: StartPeer = async ({ databaseUrl }) => {
  const pool = new Pool({ connectionString: databaseUrl, max: CONNECTIONS });
  await pool.query(`create table events (session_id text, seq bigserial, id text unique, body jsonb,
    primary key (session_id, seq))`);
  DBOS.setConfig({
    name: 'skein-bench',
    systemDatabaseUrl: databaseUrl,
    systemDatabasePoolSize: CONNECTIONS,
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
    select $1, value ->> 'id', value from jsonb_array_elements($2::jsonb) on conflict (id) do nothing`;
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
    // A model needs the conversation so far. Read inside the step, it costs no checkpoint of its own.
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
      anEvent(1, { invocationId, author: 'user', content: user }),
      anEvent(2, { invocationId, author: 'bench', content: called }),
    ]);
    const call = called.parts[0]?.functionCall;
    if (!call) throw new Error('the model called no tool');
    const response = await DBOS.runStep(async () => add(call.args), { name: 'add' });
    const result: Content = { role: 'user', parts: [{ functionResponse: { name: 'add', response } }] };
    const answer = await DBOS.runStep(async () => modelAnswers([user, called, result]), {
      name: 'model',
    });
    await append(sessionId, [
      anEvent(3, { invocationId, author: 'bench', content: result }),
      anEvent(4, { invocationId, author: 'bench', content: answer }),
    ]);
    return answer.parts[0]?.text;
  };
}
