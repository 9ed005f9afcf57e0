import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NatsConnection } from '@nats-io/transport-node';
import type { SkeletonEvent, Submitted } from './messages';

interface Waiting {
  readonly response: ServerResponse;
  readonly events: SkeletonEvent[];
}

/** The skeleton's door: answers a turn with its events. Resolves to its URL. */
export async function startGateway(nats: NatsConnection): Promise<string> {
  const waiting = new Map<string, Waiting>();
  nats.subscribe('event.>', {
    callback: (_error, message) => {
      const event = message.json<SkeletonEvent>();
      const turn = waiting.get(event.invocationId);
      turn?.events.push(event);
      if (!turn || !event.final) return;
      waiting.delete(event.invocationId);
      turn.response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(turn.events));
    },
  });
  const run = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer); // Without an encoding it is bytes.
    // The bench's own body, as Skein's gateway gets it.
    const body = JSON.parse(Buffer.concat(chunks).toString()) as {
      sessionId: string;
      newMessage: { parts: { text: string }[] };
    };
    const invocationId = randomUUID();
    waiting.set(invocationId, { response, events: [] });
    const text = body.newMessage.parts[0]?.text ?? '';
    const submitted: Submitted = { invocationId, sessionId: body.sessionId, text };
    await nats.request('rpc.submit', JSON.stringify(submitted), { timeout: 10_000 });
  };
  const server = createServer((request, response) => void run(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A TCP server's address is no string.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
