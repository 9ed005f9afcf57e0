import { z } from 'zod';

const APP_NAME = /^[a-zA-Z][a-zA-Z0-9_-]*$/;
const MAX_ID_BYTES = 256;
// eslint-disable-next-line no-control-regex -- control characters are exactly what is refused
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f-\u009f]/;

/** An app's name: an identifier that is not `user`, because `user` is an author of events (B45). */
export const appNameSchema = z
  .string()
  .max(MAX_ID_BYTES)
  .regex(APP_NAME, 'must begin with a letter and hold only letters, digits, "_" and "-"')
  .refine((name) => name !== 'user', '"user" is reserved for the author of user events');

function externalId(what: string) {
  return z
    .string()
    .min(1, `${what} must not be empty`)
    .refine((id) => Buffer.byteLength(id) <= MAX_ID_BYTES, `${what} is longer than ${MAX_ID_BYTES} bytes`)
    .refine((id) => id.isWellFormed(), `${what} is not well-formed Unicode`)
    .refine((id) => !CONTROL_CHARACTER.test(id), `${what} must not hold control characters`);
}

/** A user's id as the client chose it: any well-formed text of 1-256 bytes without control characters. */
export const userIdSchema = externalId('user id');

/** A session's id: the same form as a user's id; unique only together with app and user. */
export const sessionIdSchema = externalId('session id');

/** Names one session. Two users may use the same session id, so no part identifies it alone. */
export const sessionKeySchema = z.object({
  appName: appNameSchema,
  userId: userIdSchema,
  sessionId: sessionIdSchema,
});
export type SessionKey = z.infer<typeof sessionKeySchema>;

/** An invocation's id: `e-<uuidv7>`, minted by session-svc. */
export const invocationIdSchema = z.string().regex(/^e-[0-9a-f-]{36}$/, 'must be of the form e-<uuid>');

/** The identity of one dispatch of a tool call: hash of invocation, step key and index in the turn. */
export const dispatchIdSchema = z.string().regex(/^d-[0-9a-f]{32}$/, 'must be of the form d-<32 hex digits>');
