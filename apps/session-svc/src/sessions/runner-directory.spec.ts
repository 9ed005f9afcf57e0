import { RunnerDirectory } from './runner-directory';

const key = { appName: 'app', userId: 'user', sessionId: 's' };

describe('RunnerDirectory', () => {
  let nowMs = 0;
  let directory: RunnerDirectory;
  beforeEach(() => {
    nowMs = 0;
    directory = new RunnerDirectory(() => nowMs);
    directory.announced({ runnerId: 'small', credit: 2 });
    directory.announced({ runnerId: 'large', credit: 5 });
  });

  it('picks the runner with most credit', () => {
    expect(directory.pick(key)).toBe('large');
  });

  it('picks the last owner of the session while it has credit', () => {
    directory.handedTo('small', key);

    expect([1, 2, 3].map(() => directory.pick(key))).toEqual(['small', 'small', 'large']);
  });

  it('promises no credit twice to those that come at once, and takes back what was picked in vain', () => {
    directory.refused('large');

    expect([1, 2, 3].map(() => directory.pick())).toEqual(['small', 'small', undefined]);
    directory.unpicked('small');

    expect(directory.pick()).toBe('small');
  });

  it('keeps the place of a run that ended from who comes now where others wait for it', () => {
    directory.refused('large');
    directory.announced({ runnerId: 'small', credit: 0, isAwaited: true });
    directory.ended('small');
    expect(directory.pick(key)).toBeUndefined();

    directory.announced({ runnerId: 'small', credit: 0 });
    directory.ended('small');
    expect(directory.pick(key)).toBe('small');
  });

  it('gives back the credit of a run that ended, and none to a runner it does not know', () => {
    directory.refused('large');
    directory.claimed('small', key);
    directory.claimed('small', key);
    expect(directory.pick(key)).toBeUndefined();

    directory.ended('small');
    directory.ended('large');

    expect(directory.pick(key)).toBe('small');
    expect(directory.pick(key, 'small')).toBeUndefined();
  });

  it('forgets a runner that was silent for three seconds, or refused', () => {
    directory.refused('large');
    expect(directory.pick(key)).toBe('small');

    nowMs = 3_001;
    expect(directory.pick(key)).toBeUndefined();
  });

  it('never picks the one it is told to leave out', () => {
    directory.handedTo('large', key);

    expect(directory.pick(key, 'large')).toBe('small');
  });
});
