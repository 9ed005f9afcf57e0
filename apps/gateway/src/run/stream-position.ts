import { AdkError } from '@skein/contracts';

const SEQ = /^\d{1,15}$/;

/** Where a client wants to go on: the header, which a client that lost its stream sends anew, before the query. */
export function readPosition(lastEventId: string | undefined, after: unknown): number | undefined {
  // An empty id is none: a client that saw no event yet has nothing to go on from.
  const position = lastEventId === undefined || lastEventId === '' ? after : lastEventId;
  if (position === undefined) return undefined;
  if (typeof position === 'string' && SEQ.test(position)) return Number(position);
  throw new AdkError(
    'invalid',
    'stream.unknown-id',
    'Last-Event-ID and ?after= must be the id of an event of this session, a whole number',
  );
}

/** The refusal of a position that the session has not reached. */
export function unknownPosition(position: number, lastSeq: number): AdkError {
  return new AdkError(
    'invalid',
    'stream.unknown-id',
    `This session has no event ${position}: its last one is ${lastSeq}. It may have been deleted and made again.`,
    { details: { lastSeq } },
  );
}
