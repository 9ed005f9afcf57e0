import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect, headers as natsHeaders } from '@nats-io/transport-node';
import { AdkError, workMessageSchema } from '@skein/contracts';
import { subscribeCore, parseNatsServers } from '@skein/messaging';
import { z } from 'zod';
import { connectWith, LARGE_BODY } from '../golden/support/claim-check';
import {
  actualChecksums,
  goldenFolder,
  goldenVersions,
  notedChecksums,
  readGolden,
} from '../golden/support/golden-version';
import { messageKinds } from '../golden/support/message-kinds';
import { type GoldenMessage } from '../golden/support/tap';
import { startServers } from '../support/servers';
import packageJson from '../../package.json';

const versions = goldenVersions();

async function messagesOf(version: string): Promise<GoldenMessage[]> {
  const files = await readdir(path.join(goldenFolder(version), 'messages'));
  return files.map((file) => readGolden(version, 'messages', file) as GoldenMessage);
}

describe('what earlier versions said', () => {
  it('is kept for ever: no golden file is edited, taken away, or there without its checksum', () => {
    expect(actualChecksums()).toEqual(notedChecksums());
  });

  it('is kept of this version too, which is recorded with its release', () => {
    expect(versions).toContain(packageJson.version);
  });

  it('has a message of every kind there is now', async () => {
    const kept = (await messagesOf(packageJson.version)).map(({ kind }) => kind);

    expect(kept.sort()).toEqual([...messageKinds.keys()].sort());
  });

  it.each(versions)('is read by this one, with all it means (%s)', async (version) => {
    for (const { kind, body } of await messagesOf(version)) {
      const read = schemaOf(kind).parse(body);

      // Every field is there with its value; what is new since then may be beside it.
      expect({ kind, body: read }).toMatchObject({ kind, body });
    }
  });

  it.each(versions)(
    'may hold what nobody here knows: it is read as if that were not there (%s)',
    async (version) => {
      for (const { kind, body } of await messagesOf(version)) {
        const read = schemaOf(kind).parse(withUnknownFields(body));

        expect({ kind, body: read }).toMatchObject({ kind, body });
      }
    },
  );

  it.each(versions)('may be an event with fields of later versions: they are kept (%s)', (version) => {
    const { kind, body } = readGolden(version, 'messages', 'rpc.session.append.json') as GoldenMessage;
    const unit = body as { events: { event: object }[] };
    const events = unit.events.map((one) => ({ ...one, event: { ...one.event, fromTheFuture: { n: 1 } } }));

    expect(schemaOf(kind).parse({ ...unit, events })).toMatchObject({ events });
  });

  it('is refused by its kind when that is unknown, so that whoever sent it hears so', () => {
    const read = workMessageSchema.safeParse({ kind: 'from-the-future', n: 1 });

    expect(read.success).toBe(false);
  });

  it.each(versions)('is read where its body lies beside it (%s)', async (version) => {
    const servers = await startServers();
    const folder = await mkdtemp(path.join(tmpdir(), 'skein-payloads-'));
    await cp(path.join(goldenFolder(version), 'payloads'), folder, { recursive: true });
    const connection = await connectWith(servers.natsUrl, folder);
    const nats = await connect({ ...parseNatsServers(servers.natsUrl) });
    const heard = new Promise<unknown>((resolve) => {
      subscribeCore(connection, 'golden.large', z.object({ text: z.string() }), resolve);
    });
    await connection.flush();

    const headers = natsHeaders();
    const kept = readGolden(version, 'claim-check.json') as Record<string, string[]>;
    for (const [name, values] of Object.entries(kept))
      for (const value of values) headers.append(name, value);
    nats.publish('golden.large', new Uint8Array(), { headers });

    expect(await heard).toEqual(LARGE_BODY);
    await nats.close();
    await connection.close();
    await servers.stop();
    await rm(folder, { recursive: true, force: true });
  });
});

function schemaOf(kind: string): z.ZodType {
  const schema = messageKinds.get(kind);
  if (!schema) throw new AdkError('internal', 'test', `${kind} is no kind of message any more`);
  return schema;
}

/** A field nobody knows, in every object but those whose keys are the users' own. */
function withUnknownFields(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => withUnknownFields(one, key));
  if (typeof value !== 'object' || value === null || USERS_OWN.test(key)) return value;
  const fields = Object.entries(value).map(([name, child]) => [name, withUnknownFields(child, name)]);
  return { ...Object.fromEntries(fields), fromTheFuture: { version: 2 } };
}

const USERS_OWN = /state|delta|requested|args|response|payload|metadata|agentStates|^apps$/i;
