import { connect } from '@nats-io/transport-node';
import { inboxPrefixOf, subjects, type ToolCallMessage } from '@skein/contracts';
import { parseNatsServers } from '@skein/messaging';

/** Asks what a worker may for a call that is open, and our own hardly ever does; and as workers of an earlier version ask. */
export async function askAsWorker(natsUrl: string, message: ToolCallMessage): Promise<void> {
  const { appName, userId, sessionId, invocationId, call, ticket } = message;
  const pass = { tool: call.tool, ticket };
  const name = { appName, userId, sessionId, filename: 'title.txt' };
  const begin = { ...pass, invocationId, message: '1', handler: crypto.randomUUID() };
  // session-svc answers to where its services listen.
  const nats = await connect({ ...parseNatsServers(natsUrl), inboxPrefix: inboxPrefixOf('gateway') });
  const ask = async (subject: string, body: object): Promise<void> => {
    const { ok } = (await nats.request(subject, JSON.stringify(body), { timeout: 5_000 })).json<{
      ok: boolean;
    }>();
    if (!ok) throw new Error(`${subject} was refused`);
  };
  await ask(subjects.callRpc('served'), { ...pass, pool: call.pool });
  await ask(subjects.callRpc('artifact-versions'), { ...pass, request: name });
  await ask(subjects.callRpc('artifact-describe'), { ...pass, request: name });
  await ask(subjects.callRpc('artifact-delete'), { ...pass, request: { ...name, filename: 'unknown.txt' } });
  await ask(subjects.toolRpc('clock'), {});
  // Of a call that may run any number of times it changes nothing.
  await ask(subjects.toolRpc('begin'), begin);
  await nats.close();
}
