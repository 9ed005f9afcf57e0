import { welcome } from './welcome';

describe('welcome', () => {
  it('shows a turn with the quickstart app, ready to paste', () => {
    const text = welcome('http://127.0.0.1:8000', ['notes', 'quickstart']);

    expect(text.split('\n')[0]).toBe('Skein is ready: http://127.0.0.1:8000');
    expect(text).toContain('npm run chat -- quickstart\n');
    expect(JSON.parse(/-d '(.*)'/.exec(text)?.[1] ?? '')).toMatchObject({
      appName: 'quickstart',
      autoCreateSession: true,
    });
  });

  it('shows another app where there is no quickstart, and none where there is no app', () => {
    expect(welcome('http://x', ['notes'])).toContain('chat -- notes');
    expect(welcome('http://x', [])).toBe('Skein is ready: http://x');
  });
});
