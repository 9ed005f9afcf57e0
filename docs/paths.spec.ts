import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '..');
const engine = 'libs/engine/src';
const PATH = /`((?:apps|libs|tools|test|bench|docs|examples)\/[\w./-]+)`/g;
/** As ARCHITECTURE.md names the engine's own files. */
const ENGINE_PATH = /`((?:agent|app|compaction|flow|journal|plugin|runner|session|state|tool)\/[\w./-]+)`/g;
const LINK = /\]\((?!https?:)([\w./-]*)(?:#([\w-]+))?\)/g;

const mainPages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'];
const pages = [
  ...mainPages,
  'docs/reference/engine.md',
  'docs/reference/names.md',
  ...readdirSync(path.join(__dirname, 'how-to')).map((file) => `docs/how-to/${file}`),
];

function textOf(page: string): string {
  return readFileSync(path.join(root, page), 'utf8');
}

const named = [
  ...pages.flatMap((page) => [...textOf(page).matchAll(PATH)].map(([, file = '']) => ({ page, file }))),
  ...[...textOf('ARCHITECTURE.md').matchAll(ENGINE_PATH)].map(([, file = '']) => ({
    page: 'ARCHITECTURE.md',
    file: `${engine}/${file}`,
  })),
];

/** A link to another page or folder, and the heading it points to. */
const links = pages.flatMap((page) =>
  [...textOf(page).matchAll(LINK)].map(([, target = '', heading]) => ({
    page,
    target: target === '' ? page : path.join(path.dirname(page), target),
    heading,
  })),
);

function headingsOf(page: string): string[] {
  const titles = [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title);
  return titles.map((title) =>
    title
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}

describe('the files that the pages name', () => {
  it('are found in the pages', () => {
    expect(named.length).toBeGreaterThan(60);
    expect(links.length).toBeGreaterThan(10);
  });

  it.each(named)('$page names $file, which is there', ({ file }) => {
    expect(existsSync(path.join(root, file))).toBe(true);
  });

  it.each(links)('$page links to $target, which is there', ({ target, heading }) => {
    expect(existsSync(path.join(root, target))).toBe(true);
    if (heading !== undefined) expect(headingsOf(target)).toContain(heading);
  });
});
