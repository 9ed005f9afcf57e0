import type { Writable } from 'node:stream';
import type { ChatArguments } from './chat-arguments';
import { ChatError } from './chat-error';
import { comeBackCommand } from './come-back-command';
import type { ChatSession } from './conversation';
import { EventPrinter } from './event-printer';
import type { GatewayClient } from './gateway-client';
import { openCalls } from './open-calls';
import type { WireEvent } from './wire-event';

const eventsShown = 20;

/** Makes a session, or finds the wanted one and shows how its conversation went and what it waits for. */
export async function openSession(
  client: GatewayClient,
  chat: ChatArguments,
  output: Writable,
): Promise<ChatSession> {
  const { app, session } = chat;
  await refuseUnknownApp(client, app);
  if (session === undefined) {
    const { id } = await client.createSession();
    output.write(`Session ${id}; come back to it with: ${comeBackCommand(chat, id)}\n`);
    return { id, open: [] };
  }
  const { id, events } = await client.getSession(session);
  output.write(`Session ${id}, ${events.length} events so far\n`);
  showEvents(events, output);
  return { id, open: openCalls(events) };
}

async function refuseUnknownApp(client: GatewayClient, app: string): Promise<void> {
  const apps = await client.listApps();
  if (apps.includes(app)) return;
  const known = apps.length > 0 ? `there are: ${apps.join(', ')}` : 'there are none';
  throw new ChatError(`There is no app "${app}"; ${known}`);
}

function showEvents(events: readonly WireEvent[], output: Writable): void {
  if (events.length > eventsShown) output.write(`(${events.length - eventsShown} earlier events)\n`);
  const printer = new EventPrinter((text) => output.write(text));
  for (const event of events.slice(-eventsShown)) printer.print(event);
}
