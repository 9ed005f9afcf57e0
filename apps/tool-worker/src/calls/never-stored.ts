import { AdkError } from '@skein/contracts';

/** No unit is stored under the ticket that its call left with so long ago (ADR 39). */
const STORED_WITHIN_MS = 60_000;

/** Whether a call, asked for since then, is not stored and never will be, although its message left. */
export function isNeverStored(error: unknown, beganAtMs: number): boolean {
  return AdkError.from(error).code === 'call.early' && performance.now() - beganAtMs > STORED_WITHIN_MS;
}
