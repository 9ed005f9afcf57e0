import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type ErrorKind, errorOutcomes } from '@skein/contracts';

const root = path.join(__dirname, '..');
const page = readFileSync(path.join(__dirname, 'reference', 'names.md'), 'utf8');
const named = new Set([...page.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));

const RAISED = /AdkError\(\s*'(\w+)',\s*'([a-z-]+\.[a-z-]+)'/g;
const SERVICES = [
  ...['apps/gateway/src', 'apps/session-svc/src'],
  ...['libs/artifact-store/src', 'libs/messaging/src', 'libs/session-store/src'],
];
const APPS = ['gateway', 'runner', 'session-svc', 'tool-worker'].map((app) => `apps/${app}/src`);

function sourceOf(folders: readonly string[]): string {
  return folders
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => /(?<!\.spec)\.ts$/.test(file))
        .map((file) => readFileSync(path.join(root, folder, file), 'utf8')),
    )
    .join('\n');
}

function namesIn(text: string, pattern: RegExp): string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))];
}

function missing(names: readonly string[]): string[] {
  return names.filter((name) => !named.has(name));
}

/** The second cell of the row that names the code: a status, or a kind. */
function secondCellOf(code: string): string {
  const row = page.split('\n').find((line) => (line.split('|')[1] ?? '').includes(`\`${code}\``));
  return row?.split('|')[2]?.trim() ?? '';
}

/** What the gateway's filter answers beside the kinds' own statuses. */
function statusByCode(): ReadonlyMap<string, string> {
  const filter = readFileSync(path.join(root, 'apps/gateway/src/http/error.filter.ts'), 'utf8');
  return new Map(
    [...filter.matchAll(/^ {2}'([a-z.-]+)': (\d+),$/gm)].map(([, code = '', status = '']) => [code, status]),
  );
}

describe('the page of names', () => {
  const codes = [...new Map([...sourceOf(SERVICES).matchAll(RAISED)].map(([, kind, code]) => [code, kind]))];

  it('finds the codes of the services', () => {
    expect(codes.length).toBeGreaterThan(50);
    expect(statusByCode().size).toBeGreaterThan(3);
  });

  it.each(codes)('names %s, with its status or its kind, %s', (code = '', kind = '') => {
    // The matched text is the first argument of an AdkError.
    const { httpStatus } = errorOutcomes[kind as ErrorKind];
    const status = statusByCode().get(code) ?? String(httpStatus);
    const cell = secondCellOf(code);

    expect(cell.split(', ').some((said) => said === status || said === kind)).toBe(true);
  });

  it('names every setting of the apps and of the launcher', () => {
    const files = [
      ...APPS.map((app) => `${app}/config.ts`),
      'libs/platform/src/config/common-env.ts',
      'tools/stack/src/stack-config.ts',
    ];
    const text = files.map((file) => readFileSync(path.join(root, file), 'utf8')).join('\n');
    const settings = namesIn(text, /^ +([A-Z][A-Z0-9_]+): /gm);

    expect(settings.length).toBeGreaterThan(25);
    expect(missing(settings)).toEqual([]);
  });
});
