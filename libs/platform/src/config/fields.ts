import { z } from 'zod';

/** The longest that a timer takes, about 24 days; a longer one would be over at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A whole number from `min` to `max`; `fallback` when the variable is absent. */
export function integerFrom(min: number, fallback: number, max = Number.MAX_SAFE_INTEGER) {
  const range = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^-?\d+$/, range)
    .transform(Number)
    .refine((value) => value >= min && value <= max, range)
    .default(fallback);
}

/** A duration in whole milliseconds, at least 1. */
export function durationMs(fallback: number) {
  return integerFrom(1, fallback, MAX_TIMER_MS);
}

/** `true` or `false`, spelt so: `yes` or `1` is more often a mistake than a wish. */
export function booleanText(fallback: boolean) {
  return z
    .enum(['true', 'false'], 'must be true or false')
    .transform((text) => text === 'true')
    .default(fallback);
}

/** A URL of one of these schemes, as `url('http', 'https')`. */
export function url(...schemes: readonly [string, ...string[]]) {
  const message = `must be a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`;
  return z.string().refine((text) => isUrlOf(text, schemes), message);
}

function isUrlOf(text: string, schemes: readonly string[]): boolean {
  return URL.canParse(text) && schemes.includes(new URL(text).protocol.slice(0, -1));
}

/** As `url`, of a server alone: `https://host:port`. */
export function serverUrl(...schemes: readonly [string, ...string[]]) {
  return url(...schemes).refine((text) => {
    // Said already, by `url`.
    if (!isUrlOf(text, schemes)) return true;
    const { username, password, pathname, search, hash } = new URL(text);
    return `${username}${password}${pathname}${search}${hash}` === '/';
  }, 'must name a server, without a path or a password');
}

/** Names with commas between them; at least one, none twice. */
export function listOf(fallback: string) {
  return z.string().default(fallback).pipe(list());
}

/** The same, where there is nothing to take its place: for `.optional()`. */
export function list() {
  return z
    .string()
    .transform((text) => [...new Set(text.split(',').map((entry) => entry.trim()))].filter(Boolean))
    .refine((entries) => entries.length > 0, 'must name at least one, with commas between several');
}
