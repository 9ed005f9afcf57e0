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
  return isResult(subject) ? from.join('.') : subject;
}

/** Who announced it; undefined on a server that does not say. */
export function announcerOf(subject: string): Announcer | undefined {
  const [user, ...pools] = subject.slice(subjects.workerAnnouncement.length + 1).split('.');
  if (user === undefined || user === '') return undefined;
  return { user: fromSubjectToken(user), pools: pools.map(fromSubjectToken) };
}

function isResult(subject: string): boolean {
  return subject === subjects.everyResult || subject === subjects.everyResultFor;
}

/** Whose result it is, undefined on a server that does not say, and the runner it is for, if it is for one. */
export function wayOfResult(subject: string): { sender: string | undefined; runner: string | undefined } {
  const [, , ...rest] = subject.split('.');
  const isForOne = rest[0] === 'for' && rest.length > 1;
  const [runner, user] = isForOne ? [rest[1], rest[2]] : [undefined, rest[0]];
  return { sender: readToken(user), runner: readToken(runner) };
}

function readToken(token: string | undefined): string | undefined {
  return token === undefined ? undefined : fromSubjectToken(token);
}

/** Where a runner hears the results that are for it, as a worker sent them and with whose they are behind it. */
export function resultsFor(runnerId: string): string[] {
  const subject = `result.*.for.${subjectToken(runnerId)}`;
  return [subject, `${subject}.*`];
}

/** A worker's own name with its user before it: no other user's worker has it. */
export function workerOf(user: string | undefined, worker: string): string {
  return user === undefined ? worker : `${user}/${worker}`;
}
