import { AdkError } from '@skein/contracts';
import { type ApiParameter } from './api-parameter';
import { isRecord } from './resolve-reference';

type Pair = readonly [name: string, value: string];

/** What stays as it is where a parameter allows what URLs are written with. */
const RESERVED = /%(3A|2F|3F|23|5B|5D|40|21|24|26|27|28|29|2A|2B|2C|3B|3D)/gi;
const DELIMITERS: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '|' };

/** A path parameter as it stands in the path, in its style. Throws `openapi.argument` for what would leave its place. */
export function writePath(parameter: ApiParameter, value: unknown): string {
  const { style = 'simple', explode = false, originalName: name } = parameter;
  const text = (written: unknown) => encodeURIComponent(scalar(parameter, written));
  if (parameter.contentType !== undefined) return text(JSON.stringify(value));
  const parts = partsOf(value, text, explode);
  const joined = parts.join(style === 'label' && explode ? '.' : ',');
  if (joined === '' || joined === '.' || joined === '..')
    throw badArgument(parameter, 'it would make another path');
  if (style === 'label') return `.${joined}`;
  if (style !== 'matrix') return joined;
  if (!explode) return `;${name}=${joined}`;
  return isRecord(value) ? `;${parts.join(';')}` : parts.map((part) => `;${name}=${part}`).join('');
}

/** A parameter of the query, as encoded pairs. */
export function writeQuery(parameter: ApiParameter, value: unknown): Pair[] {
  const { originalName, style = 'form', explode = style === 'form', contentType } = parameter;
  const name = encodeURIComponent(originalName);
  const text = (written: unknown): string => {
    const encoded = encodeURIComponent(scalar(parameter, written));
    return parameter.allowReserved
      ? encoded.replaceAll(RESERVED, (code) => decodeURIComponent(code))
      : encoded;
  };
  if (contentType !== undefined) return [[name, text(JSON.stringify(value))]];
  if (style === 'deepObject') return deepPairs(name, value, text);
  if (Array.isArray(value)) {
    if (explode) return value.map((entry): Pair => [name, text(entry)]);
    return [[name, value.map(text).join(DELIMITERS[style] ?? ',')]];
  }
  if (!isRecord(value)) return [[name, text(value)]];
  if (explode) return fieldsOf(value).map(([key, field]): Pair => [encodeURIComponent(key), text(field)]);
  return [[name, partsOf(value, text, false).join(DELIMITERS[style] ?? ',')]];
}

/** A header's or a cookie's value; encoding it is for who knows which of the two it is. */
export function writeSimple(parameter: ApiParameter, value: unknown): string {
  if (parameter.contentType !== undefined) return JSON.stringify(value);
  return partsOf(value, (written) => scalar(parameter, written), parameter.explode ?? false).join(',');
}

function deepPairs(name: string, value: unknown, text: (value: unknown) => string): Pair[] {
  if (Array.isArray(value)) return value.flatMap((entry) => deepPairs(name, entry, text));
  if (!isRecord(value)) return [[name, text(value)]];
  return fieldsOf(value).flatMap(([key, field]) =>
    deepPairs(`${name}[${encodeURIComponent(key)}]`, field, text),
  );
}

/** Entries of a list, `key,value` of an object, or with `explode` its `key=value`. */
function partsOf(value: unknown, text: (value: unknown) => string, explode: boolean): string[] {
  if (Array.isArray(value)) return value.map(text);
  if (!isRecord(value)) return [text(value)];
  return fieldsOf(value).flatMap(([key, field]) =>
    explode ? [`${text(key)}=${text(field)}`] : [text(key), text(field)],
  );
}

function fieldsOf(value: Readonly<Record<string, unknown>>): [string, unknown][] {
  return Object.entries(value).filter(([, field]) => field !== undefined && field !== null);
}

function scalar(parameter: ApiParameter, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value === null) return '';
  throw badArgument(parameter, 'its style has no form for a value inside of another');
}

export function badArgument({ name }: { readonly name: string }, reason: string): AdkError {
  return new AdkError('invalid', 'openapi.argument', `"${name}" cannot be sent: ${reason}.`);
}
