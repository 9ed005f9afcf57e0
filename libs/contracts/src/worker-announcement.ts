import { z } from 'zod';
import { dispatchIdSchema } from './ids';

const MAX_NAME_LENGTH = 256;
const count = z.number().int().nonnegative();

/** One pool a worker takes calls from, how many of them at once, and how many it runs now. */
export const announcedPoolSchema = z.object({
  pool: z.string().min(1).max(MAX_NAME_LENGTH),
  concurrency: z.number().int().positive(),
  running: count,
});
export type AnnouncedPool = z.infer<typeof announcedPoolSchema>;

/** What a worker has of one app. `hasToolsets`: also tools that are not named here, since they are known only in a run. */
export const announcedAppSchema = z.object({ tools: z.array(z.string()), hasToolsets: z.boolean() });
export type AnnouncedApp = z.infer<typeof announcedAppSchema>;

/** Calls of one tool that are over, while the tool goes on in its worker, which cannot end it. */
export const leftBehindSchema = z.object({
  appName: z.string(),
  tool: z.string(),
  pool: z.string(),
  calls: count,
});
export type LeftBehind = z.infer<typeof leftBehindSchema>;

/**
 * `announce.worker`, core NATS: what a tool worker serves, said to every session-svc at its start, every second, when it is
 * asked, and a last time at its end. It may be lost. Not heard of for five seconds, a worker counts as gone.
 */
export const workerAnnouncementSchema = z.object({
  worker: z.string().min(1).max(MAX_NAME_LENGTH),
  pools: z.array(announcedPoolSchema),
  apps: z.record(z.string(), announcedAppSchema),
  /** Whether there are apps beside these: more than an announcement has room for. */
  hasMoreApps: z.boolean().optional(),
  /** Of the calls it runs now, those there is room for: where they are fewer than `pools` says, there are others. */
  running: z.array(dispatchIdSchema),
  /** Of tools with a `maxConcurrency`: each takes a place below it for as long as it goes on. */
  leftBehind: z.array(leftBehindSchema).optional(),
  /** It begins no call that is not stored yet, and has a lane to a session-svc to ask for that: such calls may be sent to it. */
  holds: z.boolean().optional(),
  /** It takes no more calls, and finishes those it runs. */
  isLeaving: z.boolean(),
});
export type WorkerAnnouncement = z.infer<typeof workerAnnouncementSchema>;

/** `announce.ask-workers`, core NATS: a session-svc that knows no worker yet asks each to announce itself now. */
export const askWorkersSchema = z.object({});

/** `announce.waiting-calls`, core NATS, may be lost: calls of a pool wait for their turn, so the end of one makes room. */
export const waitingCallsSchema = z.object({ pool: z.string() });
