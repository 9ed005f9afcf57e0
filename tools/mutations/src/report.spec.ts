import { summary } from './report';

const mutation = { rule: 26, name: 'n', file: 'f', from: 'a', to: 'b', spec: 's', test: 't' };

describe('summary', () => {
  it('ends with a line of the form that .ci/run counts', () => {
    const tried = [true, true, false].map((isNoticed) => ({ mutation, isNoticed, said: '', seconds: 1 }));
    expect(summary(tried).split('\n').slice(1)).toEqual([
      'Rules: 1 broken and noticed',
      'Tests: 2 passed, 1 failed, 3 total',
    ]);
  });
});
