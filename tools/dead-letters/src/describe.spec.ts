import { describeAnswer } from './describe';

const letter = {
  ...{ appName: 'app', userId: 'ann', sessionId: 's', dispatchId: `d-${'0'.repeat(32)}` },
  ...{ invocationId: 'e-0193e7a0-0000-7000-8000-000000000001', agentName: 'root', callId: 'adk-1' },
  ...{
    tool: 'add',
    pool: 'default',
    attempts: 3,
    code: 'tool.deadline',
    message: 'It came\u001b[2J to nothing.',
  },
  ...{ status: 'open', dieTime: 0 },
};

describe('what is shown of dead letters', () => {
  it('is a line each, which moves no cursor of a terminal, and where to go on', () => {
    expect(describeAnswer({ deadLetters: [letter], next: 'abc' })).toBe(
      `${letter.dispatchId}  open       1970-01-01T00:00:00.000Z  add  ` +
        'tool.deadline: "It came\\u001b[2J to nothing."\nmore: --before abc\n',
    );
  });

  it('is what the call was given, of one', () => {
    const policy = { timeoutMs: 1, maxAttempts: 1, sideEffect: 'once' };

    const shown = describeAnswer({ ...letter, status: 'redriven', redriveTime: 60, args: { a: 1 }, policy });

    expect(shown).toContain('args: {"a":1}\n');
    expect(shown).toContain('redriven: "1970-01-01T00:01:00.000Z"\n');
  });
});
