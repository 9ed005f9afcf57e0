import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Handover, type Submit } from '@skein/contracts';
import { type SubmitOptions, type SubmitOutcome } from '@skein/session-store';
import { RunnerDirectory } from './runner-directory';
import { SessionHeads } from './session-heads';
import { Submits, type SubmitsParts } from './submits';

const RUNNER = 'runner-1';
const SUBMIT = { appName: 'app', userId: 'ada', sessionId: 's', onBusy: 'enqueue' } as Submit;

const aClaim = (invocationId: string, over: Partial<Handover> = {}) =>
  ({ ...SUBMIT, invocationId, epoch: 2, lastSeq: 3, ...over }) as unknown as Handover;

/** A store that does with a submit what a test says, a session that is free, and what runners are told of. */
function aService(
  store: (options: SubmitOptions) => Promise<Handover | undefined>,
  { takesGuesses = true } = {},
) {
  const directory = new RunnerDirectory();
  directory.announced({ runnerId: RUNNER, credit: 5, takesGuesses });
  const heads = new SessionHeads(true);
  const head = { sessionUid: 'uid', epoch: 1, lastSeq: 3, updatedSeconds: 1, scopes: NO_STATE };
  let isFree = true;
  const freeHead = jest.spyOn(heads, 'freeHead').mockImplementation(() => (isFree ? head : undefined));
  jest.spyOn(heads, 'taken').mockImplementation(() => void (isFree = false));
  jest.spyOn(heads, 'claimed').mockReturnValue();
  const mistaken = jest.spyOn(heads, 'mistaken');
  const told: [string, string][] = [];
  const note = (how: string) => (handover: Handover) => void told.push([how, handover.invocationId]);
  const parts = {
    batcher: {
      submit: async (_submit: Submit, options: SubmitOptions): Promise<Partial<SubmitOutcome>> => {
        // No statement leaves in the pass in which it is asked for.
        await nextTurn();
        const handover = await store(options);
        const submitted = {
          invocationId: handover?.invocationId ?? '',
          segment: 0,
          sessionUid: '',
          afterSeq: 3,
        };
        return { submitted, handover, needsPointer: handover === undefined, epoch: 0 };
      },
    },
    directory,
    heads,
    handOver: { guess: note('guess'), offer: note('offer'), point: (id: string) => told.push(['point', id]) },
    cancellation: { interrupted: () => undefined },
    leaseMs: 15_000,
  } as unknown as SubmitsParts;
  return { submits: new Submits(parts), directory, told, mistaken, freeHead };
}

const NO_STATE = { session: {}, user: {}, app: {} };

describe('submits', () => {
  it('tell the runner of the claim as its statement leaves, and not again where it came to be that', async () => {
    const { submits, told, mistaken } = aService(async ({ guess, onClaimed }) => {
      guess?.onLeaving(aClaim('e-guessed'));
      onClaimed?.(aClaim('e-guessed'));
      return aClaim('e-guessed');
    });

    await submits.submit(SUBMIT);

    expect(told).toEqual([['guess', 'e-guessed']]);
    expect(mistaken).not.toHaveBeenCalled();
  });

  it.each<[string, Handover | undefined, [string, string][]]>([
    ['another invocation', aClaim('e-real'), []],
    ['one of another epoch', aClaim('e-guessed', { epoch: 3 }), []],
    ['nothing, for the session is busy', undefined, [['point', '']]],
  ])('leave it to whoever guesses to offer what was claimed instead: %s', async (_what, claimed, pointed) => {
    const { submits, told, mistaken } = aService(async ({ guess, onClaimed }) => {
      guess?.onLeaving(aClaim('e-guessed'));
      if (claimed) onClaimed?.(claimed);
      return claimed;
    });

    await submits.submit(SUBMIT);

    expect(told).toEqual([['guess', 'e-guessed'], ...pointed]);
    expect(mistaken).toHaveBeenCalledWith(SUBMIT);
  });

  it('tell of one claim once, also where its statement was tried again', async () => {
    const { submits, told } = aService(async ({ guess }) => {
      guess?.onLeaving(aClaim('e-guessed'));
      guess?.onLeaving(aClaim('e-guessed'));
      return aClaim('e-guessed');
    });

    await submits.submit(SUBMIT);

    expect(told).toEqual([['guess', 'e-guessed']]);
  });

  it.each<[string, Partial<Submit>, { takesGuesses?: boolean }]>([
    ['that is a repeat', { isRepeat: true, requestId: 'r' }, {}],
    ['for a runner that knows of no guesses', {}, { takesGuesses: false }],
  ])('guess nothing of one %s', async (_what, over, options) => {
    const { submits, told } = aService(async ({ guess, onClaimed }) => {
      expect(guess).toBeUndefined();
      onClaimed?.(aClaim('e-1'));
      return aClaim('e-1');
    }, options);

    await submits.submit({ ...SUBMIT, ...over });

    expect(told).toEqual([['offer', 'e-1']]);
  });

  it.each([
    ['guessed', true],
    ['not guessed, of its runner', false],
  ])('guess nothing of a message beside another of its session that is %s', async (_what, takesGuesses) => {
    const { submits, directory, told } = aService(
      async ({ guess }) => {
        guess?.onLeaving(aClaim('e-guessed'));
        return aClaim('e-guessed');
      },
      { takesGuesses },
    );

    const first = submits.submit(SUBMIT);
    directory.announced({ runnerId: RUNNER, credit: 5, takesGuesses: true });
    await Promise.all([first, submits.submit(SUBMIT)]);

    expect(told.filter(([how]) => how === 'guess')).toHaveLength(takesGuesses ? 1 : 0);
  });

  it('guess nothing of a session that is not known', async () => {
    const { submits, freeHead, told } = aService(async ({ guess }) => {
      expect(guess).toBeUndefined();
      return aClaim('e-1');
    });
    freeHead.mockReturnValue(undefined);

    await submits.submit(SUBMIT);

    expect(told).toEqual([['offer', 'e-1']]);
  });
});
