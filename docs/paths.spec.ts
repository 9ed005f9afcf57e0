import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '..');
const engine = 'libs/engine/src';
const PATH = /`((?:apps|libs|tools|test|bench|docs|examples)\/[\w./-]+)`/g;
/** As ARCHITECTURE.md names the engine's own files. */
const ENGINE_PATH = /`((?:agent|app|compaction|flow|journal|plugin|runner|session|state|tool)\/[\w./-]+)`/g;
const LINK = /\]\((?!https?:)([\w./-]*)(?:#([\w-]+))?\)/g;

/** Written by a script, with the titles of tests as they are. */
const GENERATED = ['docs/reference/semantics.md', 'docs/reference/seed-coverage.md'];

const pages = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...['adr', 'how-to', 'reference'].flatMap((folder) =>
    readdirSync(path.join(__dirname, folder)).map((file) => `docs/${folder}/${file}`),
  ),
].filter((page) => page.endsWith('.md') && !GENERATED.includes(page));

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

/** A page without its code, which may repeat itself and draw with bars. */
function proseOf(page: string): string {
  return textOf(page).replaceAll(/^```[^]*?^```$/gm, '');
}

/** Rows that no table holds: a blank line before them ended it, or they never had a header. */
function strayRowsOf(page: string): string[] {
  const lines = proseOf(page).split('\n');
  const isRow = (line: string | undefined): boolean => line?.startsWith('|') ?? false;
  const isHeader = (index: number): boolean => /^\|[-: |]+\|$/.test(lines[index + 1] ?? '');
  return lines.filter((line, index) => isRow(line) && !isRow(lines[index - 1]) && !isHeader(index));
}

/** Sentences of more than 60 characters, each on one line; a table's rows may say the same. */
function sentencesOf(page: string): string[] {
  return proseOf(page)
    .split(/\n(?=\n|\||[-*] )/)
    .filter((paragraph) => !paragraph.trim().startsWith('|'))
    .flatMap((paragraph) =>
      paragraph
        .trim()
        .replaceAll(/\s+/g, ' ')
        .split(/(?<=[.:;]) /),
    )
    .filter((sentence) => sentence.length > 60);
}

/** A page of rules that only its author has: "security" and a number, or a file that is not here. */
const ELSEWHERE =
  /\b(?:architecture|security|wire contract|fact|style) (?:[a-z]\.)?\d|\b(?:style|wire-contract|\w+-bar)\.md\b/i;
/** This test itself. */
const LEFT_OUT = ['docs/paths.spec.ts'];
const SOURCES = ['apps', 'libs', 'tools', 'test', 'bench', 'docs', 'examples'];

function sourceFiles(): string[] {
  return SOURCES.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      path.join(folder, file),
    ),
  ).filter((file) => /\.(ts|mjs)$/.test(file) && !/node_modules|\.d\.ts$/.test(file));
}

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

describe('the text of the pages', () => {
  it.each(pages)('%s has no row outside of a table', (page) => {
    expect(strayRowsOf(page)).toEqual([]);
  });

  it.each(pages)('%s says nothing twice', (page) => {
    const sentences = sentencesOf(page);
    expect(sentences.filter((sentence, index) => sentences.indexOf(sentence) !== index)).toEqual([]);
  });

  it('refers to no document that is not here, nor does the code', () => {
    const files = [...pages, ...sourceFiles()].filter(
      (file) => !LEFT_OUT.some((left) => file.startsWith(left)),
    );
    expect(files.length).toBeGreaterThan(300);

    const found = files.flatMap((file) =>
      textOf(file)
        .split('\n')
        .filter((line) => ELSEWHERE.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    expect(found).toEqual([]);
  });
});
