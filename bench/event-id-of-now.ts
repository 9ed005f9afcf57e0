import { randomUUID } from 'node:crypto';

/** As `eventIdOf` makes one for a turn that begins now; but for its hash, which takes a runner's time and nobody's here. */
export function eventIdOfNow(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-8${randomUUID().slice(15)}`;
}
