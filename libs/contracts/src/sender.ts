import { subjects } from './subjects';
import { fromSubjectToken, subjectToken } from './subject-token';

/** A worker's NATS user, and the pools that one may serve. */
export interface Announcer {
  readonly user: string;
  readonly pools: readonly string[];
}

/**
 * The subject under which others hear what a worker's user sends to this one: the server puts behind it whose it is, so that it
 * need not be taken from the message.
 */
export function subjectBehindBorder(subject: string, { user, pools }: Announcer): string {
  const from = [subject, subjectToken(user)];
  if (subject === subjects.workerAnnouncement) return [...from, ...pools.map(subjectToken)].join('.');
  return subject === subjects.everyResult ? from.join('.') : subject;
}

/** Who announced it; undefined on a server that does not say. */
export function announcerOf(subject: string): Announcer | undefined {
  const [user, ...pools] = subject.slice(subjects.workerAnnouncement.length + 1).split('.');
  if (user === undefined || user === '') return undefined;
  return { user: fromSubjectToken(user), pools: pools.map(fromSubjectToken) };
}

/** Whose result it is; undefined on a server that does not say. */
export function senderOfResult(subject: string): string | undefined {
  const [, , ...rest] = subject.split('.');
  // A worker of the version before may have sent it as `result.<bucket>.for.<runner>`.
  const user = rest.length > 1 ? rest[2] : rest[0];
  return user === undefined ? undefined : fromSubjectToken(user);
}

/** A worker's own name with its user before it: no other user's worker has it. */
export function workerOf(user: string | undefined, worker: string): string {
  return user === undefined ? worker : `${user}/${worker}`;
}
