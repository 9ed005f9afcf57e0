import { AdkError, type Handover, type WorkMessage, type WorkReply } from '@skein/contracts';
import { silentLogger } from '@skein/platform';
import { HandOver, type HandOverParts } from './hand-over';
import { RunnerDirectory } from './runner-directory';

const RUNNER = 'runner-1';
const CLAIM = { appName: 'app', userId: 'ada', sessionId: 's', invocationId: 'e-1', epoch: 2 } as Handover;

type Disposition = WorkReply['disposition'];

/** A runner that answers in this order, and a database that takes claims back. */
function aHandOver(...dispositions: Disposition[]) {
  const asked: string[] = [];
  const answers = [...dispositions];
  const rpc = {
    request: async (_subject: string, _schema: unknown, { kind }: WorkMessage) => {
      asked.push(kind);
      return { disposition: answers.shift() };
    },
  };
  const query = async ({ name }: { readonly name: string }) => {
    asked.push(name);
    return { rows: [{ released: false }] };
  };
  const directory = new RunnerDirectory();
  directory.announced({ runnerId: RUNNER, credit: 1 });
  const parts = {
    ...{ rpc, directory, pool: { query }, leaseMs: 15_000, logger: silentLogger },
    owners: { seen: () => undefined, forget: () => undefined },
  } as unknown as HandOverParts;
  return { handOver: new HandOver(parts), asked, isKnown: () => directory.pick() === RUNNER };
}

/** What is asked of the runner and of the database for a guess whose submit comes to this. */
async function guessed(stored: Promise<{ handover: Handover | undefined }>, ...dispositions: Disposition[]) {
  const { handOver, asked, isKnown } = aHandOver(...dispositions);
  stored.catch(() => undefined);
  handOver.guess(CLAIM, RUNNER, stored);
  await handOver.settled();
  return { asked, isKnown: isKnown() };
}

const right = () => Promise.resolve({ handover: CLAIM });

describe('a guess', () => {
  it('that its runner takes is all that the claim needs', async () => {
    expect(await guessed(right(), 'accepted')).toEqual({ asked: ['guess'], isKnown: true });
  });

  it('that its runner cannot take is handed over once its claim is stored', async () => {
    const { asked, isKnown } = await guessed(right(), 'unknown', 'accepted');

    expect({ asked, isKnown }).toEqual({ asked: ['guess', 'run'], isKnown: true });
  });

  it('that its runner refuses is taken back once its claim is stored, and the runner gets no more', async () => {
    const { asked, isKnown } = await guessed(right(), 'refused');

    expect({ asked, isKnown }).toEqual({ asked: ['guess', 'release-invocation'], isKnown: false });
  });

  it.each<[string, Handover | undefined]>([
    ['another was claimed', { ...CLAIM, invocationId: 'e-2' }],
    ['an epoch later was claimed', { ...CLAIM, epoch: 3 }],
    ['nothing was claimed', undefined],
  ])('that its runner took is withdrawn where %s', async (_what, handover) => {
    const { asked } = await guessed(Promise.resolve({ handover }), 'accepted', 'accepted');

    expect(asked).toEqual(['guess', 'withdrawn']);
  });

  it('is withdrawn where its message was refused, and not where nobody knows whether its claim was made', async () => {
    const refused = Promise.reject(new AdkError('conflict', 'message.key', 'The key is of another message.'));
    const failed = Promise.reject(new AdkError('unavailable', 'store.away', 'The database is away.'));

    expect((await guessed(refused, 'accepted', 'accepted')).asked).toEqual(['guess', 'withdrawn']);
    expect((await guessed(failed, 'accepted')).asked).toEqual(['guess']);
  });

  it.each<[string, Promise<{ handover: Handover | undefined }>]>([
    ['was wrong', Promise.resolve({ handover: { ...CLAIM, invocationId: 'e-2' } })],
    ['was wrong of a session that is busy', Promise.resolve({ handover: undefined })],
    ['was of a message that could not be stored', Promise.reject(new Error('the database is away'))],
  ])(
    'that was not taken and %s is let be: what was claimed is offered by who stored it',
    async (_what, stored) => {
      for (const disposition of ['unknown', 'refused'] as const) {
        expect((await guessed(stored, disposition)).asked).toEqual(['guess']);
      }
    },
  );
});
