import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { processStamp } from './process-identity';
import { errorCode } from './read-error';

const stackProcess = z.object({
  name: z.string(),
  app: z.string(),
  pid: z.number(),
  healthUrl: z.string().optional(),
  /** Tells this process from a later one with the same pid. */
  stamp: z.string().optional(),
});

const stackState = z.object({
  startedAt: z.string(),
  pid: z.number(),
  stamp: z.string().optional(),
  url: z.string().optional(),
  databaseUrl: z.string().optional(),
  natsUrl: z.string().optional(),
  /** With the rights of a tool worker, for workers that the stack does not start; only of a NATS server that it does. */
  toolWorkerNatsUrl: z.string().optional(),
  processes: z.array(stackProcess),
});

export type StackProcess = z.infer<typeof stackProcess>;
/** What DATA_DIR/stack.json holds. Without a `url` the stack is not ready yet. */
export type StackState = z.infer<typeof stackState>;

/** The stack.json of this process: proof that DATA_DIR is ours, and the address book of the stack. */
export class StackFile {
  #state: StackState;

  private constructor(
    private readonly file: string,
    state: StackState,
    /** The stack that died here without cleaning up; its processes may still run. */
    readonly previous: StackState | undefined,
  ) {
    this.#state = state;
  }

  /** Takes DATA_DIR for this process; throws while another living stack has it. */
  static claim(dataDir: string): StackFile {
    mkdirSync(dataDir, { recursive: true });
    const file = path.join(dataDir, 'stack.json');
    const state: StackState = {
      startedAt: new Date().toISOString(),
      ...identify(process.pid),
      processes: [],
    };
    let previous: StackState | undefined;
    while (!createExclusively(file, state)) previous = removeDead(file, dataDir) ?? previous;
    return new StackFile(file, state, previous);
  }

  update(change: Partial<Omit<StackState, 'startedAt' | 'pid' | 'stamp'>>): void {
    this.#state = { ...this.#state, ...change };
    writeAside(this.file, this.#state, (aside) => renameSync(aside, this.file));
  }

  remove(): void {
    rmSync(this.file, { force: true });
  }
}

/** A pid with the stamp that makes it unmistakable. */
export function identify(pid: number): { pid: number; stamp: string | undefined } {
  return { pid, stamp: processStamp(pid) };
}

/** Whether that very process still runs. */
export function isAlive({ pid, stamp }: { pid: number; stamp?: string | undefined }): boolean {
  return stamp !== undefined && processStamp(pid) === stamp;
}

/** A link is made or refused in one step, with the whole content; "wx" would show an empty file to others. */
function createExclusively(file: string, state: StackState): boolean {
  try {
    writeAside(file, state, (aside) => linkSync(aside, file));
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function removeDead(file: string, dataDir: string): StackState | undefined {
  refuseIfAlive(readStackState(file), dataDir);
  // Taken aside first: should another start have replaced it since, then we hold a living one and give it back.
  const aside = `${file}.dead.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch {
    // Another start removed it: the next try decides who is first.
    return undefined;
  }
  const taken = readStackState(aside);
  try {
    refuseIfAlive(taken, dataDir);
  } catch (error) {
    linkSync(aside, file);
    throw error;
  } finally {
    rmSync(aside, { force: true });
  }
  return taken;
}

function refuseIfAlive(state: StackState | undefined, dataDir: string): void {
  if (state === undefined || !isAlive(state)) return;
  throw new Error(
    `A stack already runs on ${dataDir} (pid ${state.pid}${state.url ? `, ${state.url}` : ''}): ` +
      'stop it first, or choose another DATA_DIR',
  );
}

/** The stack.json at that path; undefined when there is none, or none that can be understood. */
function readStackState(file: string): StackState | undefined {
  try {
    return stackState.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Missing or not ours to understand: either way no living stack is behind it.
    return undefined;
  }
}

function writeAside(file: string, state: StackState, publish: (aside: string) => void): void {
  const aside = `${file}.${process.pid}`;
  try {
    // The database's password is in it.
    writeFileSync(aside, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
    publish(aside);
  } finally {
    rmSync(aside, { force: true });
  }
}
