import { type SqliteValue } from './sqlite-driver';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * A text as its bytes, which the statements ask for: the driver ends a text at its first NUL and makes something of bytes
 * that are no UTF-8. Such a text comes with halves of surrogate pairs in their place, which whatever looks at texts refuses
 * or repairs.
 */
export function textOf(value: SqliteValue | undefined): string {
  if (!(value instanceof Uint8Array)) return String(value ?? '');
  try {
    return utf8.decode(value);
  } catch {
    // Not valid; what is there in the sender's own U+FFFD is broken with it.
    return Buffer.from(value).toString('utf8').replaceAll('\ufffd', '\udfff');
  }
}

export function optionalText(value: SqliteValue | undefined): string | undefined {
  return value === null || value === undefined ? undefined : textOf(value);
}

/** Orders as the bytes do, whatever they are. */
export function orderOf(value: SqliteValue | undefined): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value ?? '');
}
