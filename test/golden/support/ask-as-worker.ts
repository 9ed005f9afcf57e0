import { connect } from '@nats-io/transport-node';
import { inboxPrefixOf, subjects, type ToolCallMessage } from '@skein/contracts';
import { parseNatsServers } from '@skein/messaging';

/** Asks what a worker may for a call that is open, and our own hardly ever does; and as workers of an earlier version ask. */
export async function askAsWorker(
  natsUrl: string,
  { open, over }: { readonly open: ToolCallMessage; readonly over: ToolCallMessage },
): Promise<void> {
  const { appName, userId, sessionId, call, ticket } = open;
  const pass = { tool: call.tool, ticket };
  const name = { appName, userId, sessionId, filename: 'title.txt' };
  // session-svc answers to where its services listen.
  const nats = await connect({ ...parseNatsServers(natsUrl), inboxPrefix: inboxPrefixOf('gateway') });
  const ask = async (subject: string, body: object): Promise<void> => {
    const { ok } = (await nats.request(subject, JSON.stringify(body), { timeout: 5_000 })).json<{
      ok: boolean;
    }>();
    if (!ok) throw new Error(`${subject} was refused`);
  };
  await ask(subjects.callRpc('served'), { ...pass, pool: call.pool });
  // Of a message that there is none of: the call stays where it is.
  const back = { reason: 'unstarted', returned: 1_000, started: 0 };
  await ask(subjects.callRpc('return'), { ...pass, ...back, invocationId: open.invocationId });
  await ask(subjects.callRpc('stored'), { ...pass, invocationId: open.invocationId });
  const again = { handler: crypto.randomUUID(), returned: 1_000, started: 1, beside: 0 };
  await ask(subjects.callRpc('again'), { ...pass, ...again, invocationId: open.invocationId });
  await ask(subjects.callRpc('artifact-versions'), { ...pass, request: name });
  await ask(subjects.callRpc('artifact-describe'), { ...pass, request: name });
  await ask(subjects.callRpc('artifact-delete'), { ...pass, request: { ...name, filename: 'unknown.txt' } });
  await ask(subjects.toolRpc('clock'), {});
  await ask(subjects.toolRpc('begin'), {
    ...{ tool: over.call.tool, ticket: over.ticket, invocationId: over.invocationId },
    ...{ message: '1', handler: crypto.randomUUID() },
  });
  await nats.close();
}
