import { toSeconds } from '../session-source';

const DATE_TIME = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/;

/**
 * A time as each ADK keeps it in SQLite: float seconds (`adk web`), integer milliseconds (adk-js), or text without a zone
 * in UTC (adk-python's DatabaseSessionService). NaN for anything else.
 */
export function secondsOfValue(value: unknown): number {
  if (typeof value === 'number' || typeof value === 'bigint') return toSeconds(Number(value));
  const [, date, time, fraction = '', zone = 'Z'] = DATE_TIME.exec(String(value)) ?? [];
  if (date === undefined || time === undefined) return NaN;
  // The fraction by itself: a Date would cut it off after its milliseconds.
  return Date.parse(`${date}T${time}${zone}`) / 1000 + Number(fraction || 0);
}
