import { connect } from '@nats-io/transport-node';
import { parseNatsServers } from '@skein/messaging';
import { startGateway } from './gateway';
import { startRunner } from './runner';
import { startSessionSvc } from './session-svc';
import { startToolWorker } from './tool-worker';

/**
 * `main.js <role> <natsUrl> <databaseUrl>`: one process of the bare turn of the architecture, with nothing in it but its
 * hops: no engine, no validation, no resume. What it takes is the limit of `bench turn`.
 */
async function main(): Promise<void> {
  const [role, natsUrl = '', databaseUrl = ''] = process.argv.slice(2);
  const nats = await connect({ ...parseNatsServers(natsUrl), name: `skeleton-${role}` });
  process.once('disconnect', () => process.exit(0));
  let url: string | undefined;
  if (role === 'session-svc') await startSessionSvc(nats, databaseUrl);
  else if (role === 'runner') startRunner(nats);
  else if (role === 'tool-worker') await startToolWorker(nats);
  else if (role === 'gateway') url = await startGateway(nats);
  else throw new Error(`no role is named ${role}`);
  await nats.flush();
  process.send?.({ url });
}

void main();
