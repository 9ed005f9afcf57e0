import { announcerOf, resultsFor, subjectBehindBorder, wayOfResult, workerOf } from './sender';
import { subjects } from './subjects';

const worker = { user: 'team a', pools: ['default', 'a.b'] };

describe('row 16: who sent it', () => {
  it('stands behind what a worker announces, with the pools it may serve', () => {
    const subject = subjectBehindBorder('announce.worker', worker);

    expect(subject.split('.')).toHaveLength(5);
    expect(announcerOf(subject)).toEqual(worker);
  });

  it('stands behind each result', () => {
    const subject = subjectBehindBorder('result.*', worker).replace('*', '3');

    expect(wayOfResult(subject)).toEqual({ sender: 'team a', runner: undefined });
  });

  it('stands behind a result that is for a runner, which hears it with that and without', () => {
    const sent = subjects.resultFor(3, 'runner 1');
    const behindBorder = subjectBehindBorder(subjects.everyResultFor, worker);
    const heard = sent + behindBorder.slice(subjects.everyResultFor.length);

    expect(wayOfResult(heard)).toEqual({ sender: 'team a', runner: 'runner 1' });
    expect(wayOfResult(sent)).toEqual({ sender: undefined, runner: 'runner 1' });
    expect(resultsFor('runner 1').map((subject) => subject.replace('*', '3'))).toEqual([
      sent,
      heard.replace(/[^.]+$/, '*'),
    ]);
  });

  it('is read of a user whose name is a word of ours', () => {
    const subject = subjectBehindBorder('result.*', { ...worker, user: 'for' }).replace('*', '3');

    expect(wayOfResult(subject)).toEqual({ sender: 'for', runner: undefined });
  });

  it('is not said of anything else, nor where the server lets everybody do everything', () => {
    expect(subjectBehindBorder('progress.*', worker)).toBe('progress.*');
    expect(announcerOf('announce.worker')).toBeUndefined();
    expect(wayOfResult('result.3')).toEqual({ sender: undefined, runner: undefined });
    expect(workerOf(undefined, 'w1')).toBe('w1');
    expect(workerOf('team a', 'w1')).toBe('team a/w1');
  });
});
