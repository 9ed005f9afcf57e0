import { type NatsGrant, serviceGrant, workerGrant, type WorkerUser } from './nats-permissions';
import { subjectBehindBorder } from './sender';

/** The user that may everything but look into the server itself: for operators, backups and tests. */
export const NATS_ADMIN = 'admin';
export const natsServices = ['session-svc', 'runner', 'gateway'] as const;

/** The account of all but the workers: what is said in it, a worker hears only where its grant says so. */
const HOME = 'SKEIN';

export interface NatsUsers {
  readonly workers: readonly WorkerUser[];
  readonly passwordOf: (user: string) => string;
}

/**
 * The accounts of a nats-server, in the form of its configuration file. Each kind of worker has an account of its own, into
 * which its grant is imported. Permissions alone would not hold it: the server delivers what a pull asks for to any reply
 * subject of the asker's account, whatever the asker may publish.
 */
export function natsServerConfig({ workers, passwordOf }: NatsUsers): object {
  const userOf = (user: string, grant?: NatsGrant): object => ({
    user,
    password: passwordOf(user),
    ...(grant && {
      permissions: { publish: { allow: grant.publish }, subscribe: { allow: grant.subscribe } },
    }),
  });
  return {
    accounts: {
      [HOME]: {
        jetstream: 'enabled',
        users: [userOf(NATS_ADMIN), ...natsServices.map((service) => userOf(service, serviceGrant(service)))],
        exports: workers.flatMap((worker) => bordersOf(worker, exportOf)),
      },
      ...Object.fromEntries(
        workers.map((worker) => [
          worker.user,
          { users: [userOf(worker.user, workerGrant(worker))], imports: bordersOf(worker, importOf) },
        ]),
      ),
    },
  };
}

type Kind = 'service' | 'stream';
type Border = (kind: Kind, subject: string, worker: WorkerUser) => object;

/** What crosses the border of a worker's account: all it may do, but for its own inbox. */
function bordersOf(worker: WorkerUser, border: Border): object[] {
  const { publish, subscribe } = workerGrant(worker);
  return [
    ...publish.map((subject) => border('service', subject, worker)),
    ...subscribe
      .filter((subject) => !subject.startsWith('_INBOX'))
      .map((subject) => border('stream', subject, worker)),
  ];
}

function exportOf(kind: Kind, subject: string, worker: WorkerUser): object {
  // A pull is answered by many messages.
  const isStreamed = subject.startsWith('$JS.API.CONSUMER.MSG.NEXT.');
  const home = subjectBehindBorder(subject, worker);
  return { [kind]: home, accounts: [worker.user], ...(isStreamed && { response_type: 'Stream' }) };
}

function importOf(kind: Kind, subject: string, worker: WorkerUser): object {
  const home = subjectBehindBorder(subject, worker);
  return { [kind]: { account: HOME, subject: home }, ...(home !== subject && { to: subject }) };
}
