import { type AppName } from '@skein/stack';

/** One process of a fleet as scenes and loads need it, in a container or not. */
export interface TestedProcess {
  readonly name: string;
  readonly app: AppName;
  readonly isRunning: boolean;
}

/** What scenes, loads and invariants ask of a fleet, whatever its processes run in. */
export interface TestedFleet<One extends TestedProcess = TestedProcess> {
  /** A gateway to talk to. */
  readonly url: string;
  /** The gateways a load balancer knows at this moment. */
  readonly urls: readonly string[];
  readonly databaseUrl: string;
  readonly natsUrl: string;
  /** Where the scripted models note what they were asked. */
  readonly modelLog: string;
  /** Where the agents' tools note what they did. */
  readonly effectsFile: string;
  readonly processes: readonly One[];
  /** The process that an owner's id, as Postgres has it, is of; or the one that runs under a pid. */
  byOwner(owner: string | number): One;
  /** Settles once a gateway says that a turn can be served. */
  untilReady(deadlineMs?: number): Promise<void>;
}
