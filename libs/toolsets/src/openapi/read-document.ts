import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';
import { badDocument, documentSchema, type OpenAPIDocument, readPart } from './document-parts';

/** Where the document comes from: exactly one of the three. */
export interface DocumentSource {
  /** The document itself. */
  readonly specDict?: object;
  /** Its text, JSON or YAML. */
  readonly specStr?: string;
  readonly specType?: 'json' | 'yaml';
  /** The path of a file with its text. */
  readonly specFile?: string;
}

const MAX_DEPTH = 200;

/**
 * Reads a document; throws `openapi.document` with line and column, or the place in it. References lead into the
 * document alone: one to a file or a URL would be read by whoever loads the agent.
 */
export function readDocument({ specDict, specStr, specType, specFile }: DocumentSource): OpenAPIDocument {
  const given = [specDict, specStr, specFile].filter((source) => source !== undefined);
  if (given.length !== 1) throw badDocument('give one of specDict, specStr and specFile.');
  // A copy, which nobody changes later, and which has no cycles.
  const raw = specDict
    ? copyOf(specDict)
    : parseText(specStr ?? textOf(specFile ?? ''), specType === 'json' ? 'JSON' : 'YAML');
  const document = readPart(documentSchema, raw, '#');
  assertInnerReferences(document, '#', 0);
  return document;
}

function copyOf(document: object): unknown {
  try {
    return JSON.parse(JSON.stringify(document)) as unknown;
  } catch (thrown) {
    throw badDocument('specDict has no JSON form; a $ref stands for what contains itself.', thrown);
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (thrown) {
    throw badDocument(`${file} cannot be read.`, thrown);
  }
}

function parseText(text: string, kind: 'JSON' | 'YAML'): unknown {
  if (!text.trimStart().startsWith('{')) return parseYaml(text, kind);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // JSON is YAML too, and this way its mistakes have a line and a column.
    return parseYaml(text, kind);
  }
}

function parseYaml(text: string, kind: 'JSON' | 'YAML'): unknown {
  // Loading it takes a tenth of a second, and most processes read no YAML.
  const { parseDocument } = createRequire(__filename)('yaml') as typeof Yaml;
  const parsed = parseDocument(text, kind === 'JSON' ? { schema: 'json' } : {});
  const [first] = parsed.errors;
  if (first) throw badDocument(first.message, first);
  try {
    return JSON.parse(JSON.stringify(parsed.toJS({ maxAliasCount: 100 }))) as unknown;
  } catch (thrown) {
    throw badDocument(thrown instanceof Error ? thrown.message : 'it cannot be read.', thrown);
  }
}

function assertInnerReferences(value: unknown, place: string, depth: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_DEPTH) throw badDocument(`${place}: deeper than ${MAX_DEPTH} levels.`);
  for (const [key, field] of Object.entries(value)) {
    if (key === '$ref' && typeof field === 'string' && !field.startsWith('#')) {
      throw badDocument(
        `${place}/$ref: ${field.slice(0, 200)} lies outside of the document; bundle it into one.`,
      );
    }
    assertInnerReferences(field, `${place}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, depth + 1);
  }
}
