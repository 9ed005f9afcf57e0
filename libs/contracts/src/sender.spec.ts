import { announcerOf, senderOfResult, subjectBehindBorder, workerOf } from './sender';

const worker = { user: 'team a', pools: ['default', 'a.b'] };

describe('row 16: who sent it', () => {
  it('stands behind what a worker announces, with the pools it may serve', () => {
    const subject = subjectBehindBorder('announce.worker', worker);

    expect(subject.split('.')).toHaveLength(5);
    expect(announcerOf(subject)).toEqual(worker);
  });

  it('stands behind each result', () => {
    const subject = subjectBehindBorder('result.*', worker).replace('*', '3');

    expect(senderOfResult(subject)).toBe('team a');
  });

  it('row 42: is read behind a result that a worker of the version before sent for a runner', () => {
    expect(senderOfResult('result.3.for.runner-1.team-a')).toBe('team-a');
    expect(senderOfResult('result.3.for.runner-1')).toBeUndefined();
  });

  it('is read of a user whose name is a word of ours', () => {
    const subject = subjectBehindBorder('result.*', { ...worker, user: 'for' }).replace('*', '3');

    expect(senderOfResult(subject)).toBe('for');
  });

  it('is not said of anything else, nor where the server lets everybody do everything', () => {
    expect(['progress.*', 'answer.*'].map((subject) => subjectBehindBorder(subject, worker))).toEqual([
      'progress.*',
      'answer.*',
    ]);
    expect(announcerOf('announce.worker')).toBeUndefined();
    expect(senderOfResult('result.3')).toBeUndefined();
    expect(workerOf(undefined, 'w1')).toBe('w1');
    expect(workerOf('team a', 'w1')).toBe('team a/w1');
  });
});
