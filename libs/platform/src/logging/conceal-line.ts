import { type Conceal, concealFor } from '../telemetry/conceal';
import { REDACTED } from './redact';

/** Keys and tokens whose makers gave them a shape of their own, and signed tokens. */
const KNOWN_SHAPES =
  /\b(AIza[\w-]{30,}|sk-[\w-]{20,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|xox[abprs]-[\w-]{10,}|A[KS]IA[0-9A-Z]{16}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)/g;
/** As in a driver's `password=…`; what is quoted is told by the name of its field. */
const ASSIGNED = /\b(api[-_]?key|password|passwd|secret|token|signature)(\s*[=:]\s*)[^\s"'&,;}\\]{6,}/gi;

/** Takes out of a line of the log, as it is in JSON, what no log may hold: what no span may, and what looks like a key. */
export function concealLine(environment: Readonly<Record<string, string | undefined>>): Conceal {
  const conceal = concealFor({ ...environment, ...escapedInJson(environment) });
  return (line) => conceal(line).replace(KNOWN_SHAPES, REDACTED).replace(ASSIGNED, `$1$2${REDACTED}`);
}

/** A secret with a quote or a backslash in it looks otherwise within JSON. */
function escapedInJson(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const escaped = Object.entries(environment).map(([name, value = '']) => [
    `ESCAPED_${name}`,
    JSON.stringify(value).slice(1, -1),
  ]);
  return Object.fromEntries(escaped) as Record<string, string>; // Of such pairs it is made.
}
