/** So many turns, in sessions of `TURNS_PER_SESSION`, of which so many are under way at a time. */
export interface Load {
  /** Begins the id of each session, so that a load has sessions of its own. */
  readonly prefix: string;
  readonly turns: number;
  readonly inFlight: number;
  /** What is said in each turn, where the agent is ours; without it what calls a tool that only reads. */
  readonly text?: string;
}

/** How long each turn took, and all of them together. */
export interface LoadTaken {
  readonly samplesMs: readonly number[];
  readonly elapsedMs: number;
}

const TURNS_PER_SESSION = 20;

/** The same load for everybody who is measured: a session's turns one after another, sessions beside each other. */
export async function runTurns(
  turn: (sessionId: string) => Promise<unknown>,
  { prefix, turns, inFlight }: Load,
): Promise<LoadTaken> {
  const samplesMs: number[] = [];
  const sessions = Array.from({ length: turns / TURNS_PER_SESSION }, (_none, index) => `${prefix}-${index}`);
  const begun = performance.now();
  const drive = async (): Promise<void> => {
    for (let session = sessions.pop(); session !== undefined; session = sessions.pop()) {
      for (let n = 0; n < TURNS_PER_SESSION; n++) {
        const sent = performance.now();
        await turn(session);
        samplesMs.push(performance.now() - sent);
      }
    }
  };
  await Promise.all(Array.from({ length: inFlight }, drive));
  return { samplesMs, elapsedMs: performance.now() - begun };
}
