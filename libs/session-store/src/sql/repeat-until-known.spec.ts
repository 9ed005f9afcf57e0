import { AdkError } from '@skein/contracts';
import { translateError } from '../translate-error';
import { repeatUntilKnown } from './repeat-until-known';

const ofState = (code: string): AdkError =>
  translateError(Object.assign(new Error('as the driver throws it'), { code }), 'x');

/** Fails in these ways one after another, then succeeds; keeps which try was called a repeat. */
function failing(...errors: readonly AdkError[]) {
  const tries: boolean[] = [];
  const work = async (isRepeat: boolean): Promise<string> => {
    tries.push(isRepeat);
    const error = errors[tries.length - 1];
    if (error) throw error;
    return 'done';
  };
  return { work, tries };
}

describe('what is harmless to do again', () => {
  it.each(['ECONNRESET', 'EPIPE', '57P01', '57P02', '08006'])(
    'row 24: is done again after %s, which may have come after the commit',
    async (code) => {
      const { work, tries } = failing(ofState(code));

      expect(await repeatUntilKnown(work)).toBe('done');
      expect(tries).toEqual([false, true]);
    },
  );

  it('row 24: is done again while the database comes back, once it was lost in the middle', async () => {
    const { work, tries } = failing(ofState('57P01'), ofState('ECONNREFUSED'), ofState('57P03'));

    expect(await repeatUntilKnown(work)).toBe('done');
    expect(tries).toEqual([false, true, true, true]);
  });

  it.each(['ECONNREFUSED', '57P03', '25006', '53300', '40P01', '23505'])(
    'fails at once with %s, which says that nothing was done',
    async (code) => {
      const { work, tries } = failing(ofState(code));

      await expect(repeatUntilKnown(work)).rejects.toBeInstanceOf(AdkError);
      expect(tries).toEqual([false]);
    },
  );

  it('has the answer of the repeat, whatever it is', async () => {
    const { work } = failing(ofState('ECONNRESET'), new AdkError('conflict', 'session.busy', 'of the test'));

    await expect(repeatUntilKnown(work)).rejects.toMatchObject({ code: 'session.busy' });
  });
});
