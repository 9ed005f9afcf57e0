import { comeBackCommand } from './come-back-command';

const chat = { app: 'quickstart', session: undefined, url: undefined, user: 'user' };

describe('comeBackCommand', () => {
  it('names the app and the session where nothing else was chosen', () => {
    expect(comeBackCommand(chat, 's-1')).toBe('npm run chat -- quickstart --session s-1');
  });

  it('repeats the stack and the user, without which the session is not found', () => {
    const command = comeBackCommand({ ...chat, user: "O'Hara & son", url: 'http://127.0.0.1:8001' }, 's-1');

    expect(command).toBe(
      `npm run chat -- quickstart --session s-1 --user 'O'\\''Hara & son' --url http://127.0.0.1:8001`,
    );
  });
});
