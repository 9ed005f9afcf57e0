import { execFile } from 'node:child_process';
import path from 'node:path';
import { Skein } from '../../../test/support/skein';

const repository = path.join(__dirname, '..', '..', '..');
const program = path.join(repository, 'dist', 'tools', 'chat', 'src', 'main.js');

describe('npm run chat, with lines piped in', () => {
  let skein: Skein;

  beforeAll(async () => {
    const env = { AGENTS_DIR: path.join(repository, 'examples', 'agents') };
    skein = await Skein.start({ agents: {}, env });
  }, 120_000);

  afterAll(() => skein?.stop(), 60_000);

  /** What the chat prints; rejects when it ends with another code than 0. */
  function chat(args: readonly string[], lines: readonly string[]): Promise<string> {
    return new Promise((resolve, reject) => {
      const child = execFile(
        process.execPath,
        [program, ...args, '--url', skein.url],
        (error, output, errors) =>
          error ? reject(new Error(output + errors, { cause: error })) : resolve(output),
      );
      child.stdin?.end(lines.map((line) => `${line}\n`).join(''));
    });
  }

  it('asks before a payment, and pays with a yes (B33)', async () => {
    const output = await chat(['approvals'], ['pay Ann 500', 'y', 'pay Ann 700', 'n']);

    expect(output).toMatch(/^→ pay\(\{"to":"Ann","amount":500\}\)$/m);
    expect(output).toMatch(/^\? pay\(\{"to":"Ann","amount":500\}\) wants to run$/m);
    expect(output).toMatch(/^← pay .*waits for your approval$/m);
    expect(output).toMatch(/^office: Paid 500 € to Ann; that makes 500 € in this session\.$/m);
    expect(output).toMatch(/^office: Nothing was paid: This tool call is rejected\.$/m);
  }, 60_000);

  it('comes back to a call that was left open (B47)', async () => {
    const before = await chat(['approvals'], ['ask my manager for Friday off', '', 'lunch', '2']);
    const session = /--session (\S+)/.exec(before)?.[1] ?? '';
    const after = await chat(['approvals', '--session', session], ['granted']);

    expect(before).toMatch(/^office: Ordered: salad\.$/m);
    expect(after).toMatch(/^\? ask_manager\(\{"question":"Friday off"\}\) waits for an answer$/m);
    expect(after).toMatch(/^office: Your manager answered: granted$/m);
  }, 60_000);

  it('shows who hands over to whom, and who is at work (B37)', async () => {
    const output = await chat(['team'], ['plan a day in Rome']);

    const [, ...shown] = output.trimEnd().split('\n');
    expect(shown[0]).toBe('desk → trip_planner');
    expect(shown).toContain('food: carbonara');
    expect(shown.slice(-5)).toEqual([
      'writer: First the Pantheon, then carbonara.',
      'critic: When is what?',
      'writer: In the morning the Pantheon, at noon carbonara.',
      'critic: → exit_loop({})',
      expect.stringMatching(/^← exit_loop/),
    ]);
  }, 60_000);

  it('tells of a saved artifact', async () => {
    const output = await chat(['notes'], ['add buy milk', 'export']);

    expect(output).toMatch(/^saved notes\.md, version 0$/m);
  }, 60_000);
});
