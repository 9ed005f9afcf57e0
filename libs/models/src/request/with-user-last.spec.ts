import { withUserLast } from './with-user-last';

const user = { role: 'user', parts: [{ text: 'hi' }] };
const model = { role: 'model', parts: [{ text: 'hello' }] };

describe('withUserLast', () => {
  it('says something for a user who said nothing, and after a model that spoke last (B14)', () => {
    expect(withUserLast([])).toEqual([
      { role: 'user', parts: [{ text: 'Handle the requests as specified in the System Instruction.' }] },
    ]);
    expect(withUserLast([user, model])).toEqual([
      user,
      model,
      {
        role: 'user',
        parts: [
          {
            text: 'Continue processing previous requests as instructed. Exit or provide a summary if no more outputs are needed.',
          },
        ],
      },
    ]);
  });

  it('leaves a conversation that the user ends as it is', () => {
    const contents = [model, user];

    expect(withUserLast(contents)).toBe(contents);
  });
});
