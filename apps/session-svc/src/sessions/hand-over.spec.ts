import { AdkError, type Handover, type WorkMessage, type WorkReply } from '@skein/contracts';
import { Metrics, silentLogger } from '@skein/platform';
import { HandOver, type HandOverParts } from './hand-over';
import { RunnerDirectory } from './runner-directory';
import { ServiceMetrics } from '../service-metrics';

const RUNNER = 'runner-1';
const CLAIM = { appName: 'app', userId: 'ada', sessionId: 's', invocationId: 'e-1', epoch: 2 } as Handover;

type Disposition = WorkReply['disposition'];

/** A runner that answers in this order, and nothing after that; and a database that takes no claim back. */
function aHandOver(...dispositions: Disposition[]) {
  const asked: string[] = [];
  const answers = [...dispositions];
  const rpc = {
    request: async (_subject: string, _schema: unknown, { kind }: WorkMessage) => {
      asked.push(kind);
      return answers.length > 0 ? { disposition: answers.shift() } : new Promise(() => undefined);
    },
  };
  const query = jest.fn(async ({ name }: { readonly name: string; readonly values: unknown[] }) => {
    asked.push(name);
    return { rows: [{ released: false }] };
  });
  const directory = new RunnerDirectory();
  directory.announced({ runnerId: RUNNER, credit: 1 });
  const registry = new Metrics();
  const parts = {
    ...{ rpc, directory, pool: { query }, leaseMs: 15_000, logger: silentLogger },
    metrics: new ServiceMetrics(registry),
    owners: { seen: () => undefined, forget: () => undefined },
  } as unknown as HandOverParts;
  const counted = async () =>
    [...(await registry.render()).matchAll(/^skein_claim_guesses_total\{outcome="(.*)"\} 1$/gm)].map(
      ([, outcome]) => outcome,
    );
  return { handOver: new HandOver(parts), asked, query, counted, isKnown: () => directory.pick() === RUNNER };
}

/** What is asked of the runner and of the database for a guess whose submit comes to this, and how the guess is counted. */
async function guessed(stored: Promise<{ handover: Handover | undefined }>, ...dispositions: Disposition[]) {
  const { handOver, asked, isKnown, counted } = aHandOver(...dispositions);
  stored.catch(() => undefined);
  handOver.guess(CLAIM, RUNNER, stored);
  await handOver.settled();
  return { asked, isKnown: isKnown(), counted: await counted() };
}

const right = () => Promise.resolve({ handover: CLAIM });
const another = () => Promise.resolve({ handover: { ...CLAIM, invocationId: 'e-2' } });
const none = () => Promise.resolve({ handover: undefined });
const refused = () =>
  Promise.reject(new AdkError('conflict', 'message.key', 'The key is of another message.'));
const failed = () => Promise.reject(new AdkError('unavailable', 'store.away', 'The database is away.'));

describe('a guess', () => {
  it.each<[string, Disposition[], string[], string]>([
    ['takes is all that the claim needs', ['accepted'], ['guess'], 'right'],
    [
      'cannot take is handed over once its claim is stored',
      ['unknown', 'accepted'],
      ['guess', 'run'],
      'unbegun',
    ],
    [
      'refuses is taken back once its claim is stored',
      ['refused'],
      ['guess', 'release-invocation'],
      'unbegun',
    ],
  ])('that its runner %s', async (_what, dispositions, asked, outcome) => {
    expect(await guessed(right(), ...dispositions)).toMatchObject({ asked, counted: [outcome] });
  });

  it('that its runner refuses has it get no more', async () => {
    expect((await guessed(right(), 'refused')).isKnown).toBe(false);
  });

  it.each<[string, Promise<{ handover: Handover | undefined }>, string[]]>([
    ['another was claimed, which is offered then', another(), ['guess', 'withdrawn', 'run']],
    [
      'an epoch later was claimed, which is offered then',
      Promise.resolve({ handover: { ...CLAIM, epoch: 3 } }),
      ['guess', 'withdrawn', 'run'],
    ],
    ['nothing was claimed', none(), ['guess', 'withdrawn']],
    ['its message was refused', refused(), ['guess', 'withdrawn']],
  ])('that its runner took is withdrawn where %s', async (_what, stored, asked) => {
    const all = await guessed(stored, 'accepted', 'accepted', 'accepted');

    expect(all).toMatchObject({ asked, counted: ['wrong'] });
  });

  it('is not withdrawn where nobody knows whether its claim was made', async () => {
    expect(await guessed(failed(), 'accepted')).toMatchObject({ asked: ['guess'], counted: [] });
  });

  it.each([
    ['was wrong', another(), ['guess', 'run']],
    ['was wrong of a session that is busy', none(), ['guess']],
    ['was of a message that could not be stored', failed(), ['guess']],
  ])('that was not taken and %s has nothing to withdraw', async (_what, stored, asked) => {
    for (const disposition of ['unknown', 'refused'] as const) {
      expect((await guessed(stored, disposition, 'accepted')).asked).toEqual(asked);
    }
  });

  it('that is not answered is taken back, unless its lease was renewed since the claim was made', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    const { handOver, query } = aHandOver();
    const made = new Promise<{ handover: Handover }>((resolve) =>
      setTimeout(resolve, 800, { handover: CLAIM }),
    );

    handOver.guess(CLAIM, RUNNER, made);
    await jest.advanceTimersByTimeAsync(3_000);
    await handOver.settled();
    jest.useRealTimers();

    const [[{ values }] = [{ values: [] }]] = query.mock.calls;
    // Made 2.2 s ago at least, a lease of 15 s has no more than this to go.
    expect(values).toEqual([CLAIM.invocationId, CLAIM.epoch, true, 12_800]);
  });
});
