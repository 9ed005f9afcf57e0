import { subjects } from './subjects';

/** What a service may do on a lane, which is some of what NATS lets it do (`nats-permissions.ts`). */
export interface LaneRights {
  readonly asks: readonly string[];
  /** Subjects; one that ends with `*` stands for all that have another last token. */
  readonly answers: readonly string[];
}

/**
 * What a turn waits for: gateways and runners ask session-svc, tool workers ask runners, and session-svc whether a call is stored.
 * The rest is rare, and a lease is renewed over NATS for a reason: a runner that NATS is cut from hears of no cancel, has no call sent
 * to it, and is to give its runs up.
 */
export const laneRights = {
  gateway: { asks: [subjects.sessionRpc('submit')], answers: [] },
  runner: { asks: [subjects.sessionRpc('append')], answers: ['work.*'] },
  'tool-worker': { asks: [subjects.everyAnswer, subjects.everyStored], answers: [] },
} as const satisfies Readonly<Record<string, LaneRights>>;
export type LaneService = keyof typeof laneRights;

/** Whether one of these names the subject. */
export function namesSubject(names: readonly string[], subject: string): boolean {
  return names.some((name) => {
    if (!name.endsWith('*')) return name === subject;
    const tree = name.slice(0, -1);
    return subject.startsWith(tree) && subject.length > tree.length && !subject.includes('.', tree.length);
  });
}
