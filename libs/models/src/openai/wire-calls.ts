import { type Part } from '@skein/contracts';
import { cameFrom } from '../provider/part-origin';
import { readArguments } from '../provider/read-arguments';
import { type WireCall } from './openai-wire';

interface Call {
  readonly index: number | undefined;
  id: string;
  name: string;
  written: string;
  signature: string;
}

/**
 * Puts calls together from their fragments, as servers send them: by index, or all at one index (Ollama) or at none; the
 * id and the name in the first fragment, in a later one, or in each, and an id anew in each (older vLLM).
 */
export class WireCalls {
  readonly #calls: Call[] = [];

  add(fragment: WireCall, index: number | undefined): void {
    const given = read(fragment, index);
    const open = this.#calls.findLast((call) => index === undefined || call.index === index);
    if (!open) this.#calls.push(given);
    else if (!isRepeated(open, given)) {
      if (isNext(open, given)) this.#calls.push(given);
      else addTo(open, given);
    }
  }

  /** The calls in their order; one that came twice in all its parts is one. */
  get parts(): Part[] {
    const isFirst = (call: Call, at: number): boolean =>
      !call.id || !this.#calls.slice(0, at).some((other) => isRepeated(other, call));
    return this.#calls.filter(isFirst).map(({ id, name, written, signature }) => ({
      functionCall: { ...(id ? { id } : {}), name, ...readArguments(written) },
      ...(signature ? { thoughtSignature: signature, ...cameFrom({ provider: 'openai' }) } : {}),
    }));
  }
}

function read({ id, function: called, extra_content: extra }: WireCall, index: number | undefined): Call {
  const written = called?.arguments ?? '';
  return {
    index,
    id: id ?? '',
    name: called?.name ?? '',
    written: typeof written === 'string' ? written : JSON.stringify(written),
    signature: extra?.google?.thought_signature ?? '',
  };
}

/** Two calls of a turn may be alike; of one id as well, they are one that was sent twice. */
function isRepeated(known: Call, given: Call): boolean {
  const isSame = known.id === given.id && known.name === given.name && known.written === given.written;
  return isSame && given.name !== '' && isWhole(known.written);
}

/** Whether a fragment at the place of a call begins another one: it names it, under an id or with arguments of its own. */
function isNext(open: Call, given: Call): boolean {
  if (!given.name || !open.name) return false;
  const isOtherId = given.id !== '' && open.id !== '' && given.id !== open.id;
  return isOtherId || (given.written !== '' && isWhole(open.written));
}

function addTo(open: Call, given: Call): void {
  open.id ||= given.id;
  open.name ||= given.name;
  open.written += given.written;
  open.signature ||= given.signature;
}

function isWhole(written: string): boolean {
  try {
    JSON.parse(written);
    return true;
  } catch {
    return false;
  }
}
