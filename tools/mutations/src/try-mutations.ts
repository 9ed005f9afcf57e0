import path from 'node:path';
import { type JestReport } from './jest-report';
import { judge, judgeUnchanged, type Verdict } from './judge';
import { type Mutation } from './mutation';
import { Workspace } from './workspace';

export interface Tried extends Verdict {
  readonly mutation: Mutation;
  readonly seconds: number;
}

/** More would only take turns on the two cores there are. */
const LANES = 2;

/** Tries each change on its own; first the tests run on the engine as it is, because a red test proves nothing. */
export async function* tryMutations(
  mutations: readonly Mutation[],
  repository: string,
): AsyncGenerator<Tried, void> {
  const workspaces = Array.from({ length: LANES }, () => Workspace.from(repository));
  try {
    const [first] = workspaces;
    if (!first) return;
    const specs = [...new Set(mutations.map(({ spec }) => spec))];
    const unchanged = await first.jest(specs);
    const waiting = mutations.map((mutation) => ({ mutation, refused: refusal(mutation, unchanged) }));
    yield* inLanes(waiting, workspaces, async ({ mutation, refused }, workspace) =>
      refused === undefined ? tryMutation(mutation, workspace) : { mutation, ...failed(refused), seconds: 0 },
    );
  } finally {
    for (const workspace of workspaces) workspace.remove();
  }
}

async function tryMutation(mutation: Mutation, workspace: Workspace): Promise<Tried> {
  const started = performance.now();
  const verdict = await workspace
    .withMutation(mutation, () => workspace.jest([mutation.spec], mutation.test))
    .then((report) => judge(mutation, report))
    .catch((error: unknown) => failed(error instanceof Error ? error.message : String(error)));
  return { mutation, ...verdict, seconds: (performance.now() - started) / 1_000 };
}

function refusal(mutation: Mutation, { testResults }: JestReport): string | undefined {
  const ofSpec = testResults.filter(({ name }) => name.endsWith(path.normalize(`/${mutation.spec}`)));
  return judgeUnchanged(mutation, { testResults: ofSpec });
}

function failed(said: string): Verdict {
  return { isNoticed: false, said };
}

/** Gives each lane the next of the items as soon as it is free; what is done comes out as it is. */
async function* inLanes<Item, Lane, Done>(
  items: readonly Item[],
  lanes: readonly Lane[],
  work: (item: Item, lane: Lane) => Promise<Done>,
): AsyncGenerator<Done, void> {
  const waiting = [...items];
  const running = new Map<Lane, Promise<{ lane: Lane; done: Done }>>();
  const start = (lane: Lane): void => {
    const item = waiting.shift();
    if (item === undefined) running.delete(lane);
    else
      running.set(
        lane,
        work(item, lane).then((done) => ({ lane, done })),
      );
  };
  lanes.forEach(start);
  while (running.size > 0) {
    const { lane, done } = await Promise.race(running.values());
    start(lane);
    yield done;
  }
}
