import { describeAnswer } from './describe';

const one = { invocationId: 'e-1', segment: 0, segments: [], attempt: 1, createTime: 0 };

describe('what is shown of invocations', () => {
  it('is a line each', () => {
    const failed = { ...one, status: 'failed', error: { code: 'tool.broke', message: 'It broke.' } };
    const answer = {
      invocations: [failed, { ...one, status: 'cancelled', cancelRequestTime: 1, stopTime: 2 }],
    };

    expect(describeAnswer(answer)).toBe(
      'e-1  failed     1970-01-01T00:00:00.000Z  tool.broke: It broke.\n' +
        'e-1  cancelled  1970-01-01T00:00:00.000Z\n',
    );
  });

  it('says when a cancel is on its way', () => {
    expect(describeAnswer({ ...one, status: 'running', cancelRequestTime: 1 })).toContain(
      'is being cancelled',
    );
  });
});
