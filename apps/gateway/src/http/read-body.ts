import type { IncomingMessage } from 'node:http';
import { AdkError } from '@skein/contracts';

/** Called once: with why the body is refused, or with all of it, which is empty where there is none. */
type Take = (refusal: AdkError | undefined, body: Buffer) => void;

const NO_BODY = Buffer.alloc(0);

/**
 * Reads a request's body whole. The limit counts bytes as they come in, and compressed bodies are refused, so neither a
 * lying Content-Length nor a zip bomb gets past it. What is refused is read off first: its client would not hear why while it
 * still sends.
 */
export function readBody(request: IncomingMessage, limitBytes: number, take: Take): void {
  const { 'content-length': length, 'transfer-encoding': transfer } = request.headers;
  if (transfer === undefined && Number.isNaN(Number.parseInt(length ?? '', 10))) {
    take(undefined, NO_BODY);
    return;
  }
  const pieces: Buffer[] = [];
  let leftBytes = limitBytes;
  let refusal = refusalOfHeads(request, limitBytes);
  request.on('data', (piece: Buffer) => {
    leftBytes -= piece.byteLength;
    if (leftBytes < 0) refusal ??= tooLarge(limitBytes);
    if (refusal === undefined) pieces.push(piece);
    else pieces.length = 0;
  });
  const finish = (): void => {
    request.off('end', finish).off('close', finish);
    const [first = NO_BODY, ...others] = pieces;
    take(
      refusal ?? (request.complete ? undefined : brokeOff()),
      others.length === 0 ? first : Buffer.concat(pieces),
    );
  };
  // One that breaks off is closed without an end.
  request.on('end', finish).on('close', finish);
}

function refusalOfHeads({ headers }: IncomingMessage, limitBytes: number): AdkError | undefined {
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding !== 'identity') {
    return new AdkError('invalid', 'request.media-type', 'Compressed bodies are not accepted');
  }
  return Number(headers['content-length'] ?? 0) > limitBytes ? tooLarge(limitBytes) : undefined;
}

function tooLarge(limitBytes: number): AdkError {
  return new AdkError('invalid', 'request.too-large', `The body is larger than ${limitBytes} bytes`);
}

function brokeOff(): AdkError {
  return new AdkError('invalid', 'request.malformed', 'The body broke off before its end');
}
