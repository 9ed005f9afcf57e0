import { AdkError } from '@skein/contracts';

/** Of a run whose code, played again after a crash, goes another way than what is stored of it. */
const REPLAY_DIVERGED = 'REPLAY_DIVERGED';

/** @param stored what the store has at this place @param asked what the code asks for there */
export function divergence(stored: string, asked: string): AdkError {
  return new AdkError(
    'invalid',
    REPLAY_DIVERGED,
    `The run was taken over and its code goes another way than before: stored is ${stored}, asked for was ${asked}. ` +
      'Either the code was changed meanwhile, or it is not the same each time it runs.',
    { details: { stored, asked } },
  );
}

export function isDivergence(thrown: unknown): boolean {
  return AdkError.isInstance(thrown) && thrown.code === REPLAY_DIVERGED;
}
