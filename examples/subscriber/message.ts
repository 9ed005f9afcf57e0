import { type JsMsg } from '@nats-io/jetstream';
import { z } from 'zod';

/** A session by the ids of its URL, and which of those that had these ids: one may be deleted and made again. */
export interface SessionAddress {
  readonly appName: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly sessionUid: string;
}

/** Where an event belongs; `seq` counts the events of a session from 1, without holes. */
export interface Place extends SessionAddress {
  readonly seq: number;
}

/** `<sessionUid>.<seq>` */
const MESSAGE_ID = /^([0-9a-f-]{36})\.([1-9]\d{0,14})$/;
const body = z.object({ event: z.unknown() });

/** From subject and headers alone, which every message has. Undefined for what is no event of a session. */
export function placeOf({ subject, headers }: Pick<JsMsg, 'subject' | 'headers'>): Place | undefined {
  const [, sessionUid, seq] = MESSAGE_ID.exec(headers?.get('Nats-Msg-Id') ?? '') ?? [];
  const [tree, app, user, session, ...rest] = subject.split('.');
  if (sessionUid === undefined || tree !== 'event' || session === undefined || rest.length > 0)
    return undefined;
  return {
    appName: decodeToken(app ?? ''),
    userId: decodeToken(user ?? ''),
    sessionId: decodeToken(session),
    sessionUid,
    seq: Number(seq),
  };
}

/** Undefined where the body is not in the message, but in a store of the services: a large event is read from the API. */
export function eventOf(message: Pick<JsMsg, 'headers' | 'json'>): unknown {
  return message.headers?.has('Skein-Payload') ? undefined : body.parse(message.json()).event;
}

/** A token with other characters than letters, digits and `-` is base64url: of UTF-8 after `_`, of UTF-16 after `=`. */
function decodeToken(token: string): string {
  const bytes = () => Buffer.from(token.slice(1), 'base64url');
  if (token.startsWith('_')) return bytes().toString('utf8');
  return token.startsWith('=') ? bytes().toString('utf16le') : token;
}
