import { execFile } from 'node:child_process';
import path from 'node:path';

const ROOT = path.join(__dirname, '../..');
const JEST = require.resolve('jest/bin/jest');
const KEYS = ['GOOGLE_API_KEY', 'GEMINI_API_KEY', 'ANTHROPIC_API_KEY', 'OPENAI_API_KEY'];
/** As `npm run test:live`, without its requests. */
const COMMAND = [JEST, '--selectProjects', 'live', '--maxWorkers=1', '--testNamePattern', 'has a key'];

it('fails, and says what to set, where no provider has its key', async () => {
  const { code, printed } = await liveTests({});

  expect(code).toBe(1);
  expect(printed).toContain('Asked: no provider.');
  expect(printed).toContain('NOT asked: Gemini (set GOOGLE_API_KEY or GEMINI_API_KEY).');
  expect(printed).toContain('NOT asked: Claude (set ANTHROPIC_API_KEY).');
});

it('names who was asked and who was not', async () => {
  const { code, printed } = await liveTests({ ANTHROPIC_API_KEY: 'any', LIVE_ANTHROPIC_MODEL: 'claude-any' });

  expect(code).toBe(0);
  expect(printed).toContain('Asked: Claude (claude-any).');
  expect(printed).toContain('NOT asked: OpenAI (set OPENAI_API_KEY).');
});

function liveTests(keys: NodeJS.ProcessEnv): Promise<{ code: number; printed: string }> {
  const others = Object.entries(process.env).filter(([name]) => !KEYS.some((key) => name.startsWith(key)));
  const env = { ...Object.fromEntries(others), ...keys };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, COMMAND, { cwd: ROOT, env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, printed: stdout + stderr }),
    );
  });
}
