import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type NamedTest } from './named-test';
import { readTests } from './read-tests';
import { wordsOf } from './words-of';

const ROOT = path.join(__dirname, '../../../..');
const FOLDERS = ['apps', 'libs', 'bench', 'docs', 'tools', 'test'];
const TEST_FILE = /\.(spec|contract)\.ts$|^test\/conformance\/cases(\.ts|\/.*\.ts)$/;
/** Their specs hold tests of tests, which hold no rule. */
const NOT_TESTS = /(^|\/)(node_modules|dist|bin)\/|^tools\/(coverage|mutations)\//;

/** The repository's sources, each read and parsed once. */
export class Repository {
  readonly #words = new Map<string, ReadonlySet<string>>();
  readonly #tests = new Map<string, readonly NamedTest[]>();

  constructor(readonly root: string = ROOT) {}

  has(file: string): boolean {
    return existsSync(path.join(this.root, file));
  }

  read(file: string): string {
    return readFileSync(path.join(this.root, file), 'utf8');
  }

  /** The names and strings in a file; comments do not count. */
  wordsIn(file: string): ReadonlySet<string> {
    return kept(this.#words, file, () => wordsOf(file, this.read(file)));
  }

  testsIn(file: string): readonly NamedTest[] {
    return kept(this.#tests, file, () => readTests(file, this.read(file)));
  }

  /** Every test of the repository, by file in the order of the alphabet. */
  tests(): readonly NamedTest[] {
    return FOLDERS.flatMap((folder) =>
      readdirSync(path.join(this.root, folder), { recursive: true, encoding: 'utf8' }).map(
        (file) => `${folder}/${file.replaceAll(path.sep, '/')}`,
      ),
    )
      .filter((file) => TEST_FILE.test(file) && !NOT_TESTS.test(file))
      .sort()
      .flatMap((file) => this.testsIn(file));
  }
}

function kept<T>(cache: Map<string, T>, key: string, make: () => T): T {
  const known = cache.get(key) ?? make();
  cache.set(key, known);
  return known;
}
