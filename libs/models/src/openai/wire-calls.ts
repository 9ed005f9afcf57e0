import { type Part } from '@skein/contracts';
import { cameFrom } from '../request/part-origin';
import { tooLarge } from '../reading/bad-answer';
import { BoundedValues } from '../reading/bounded-values';
import { readArguments } from '../reading/read-arguments';
import { calledName, type ToolNames } from '../request/tool-names';
import { type WireCall } from './openai-wire';

interface Call {
  readonly index: number | undefined;
  id: string;
  name: string;
  written: string;
  /** Of what is written; a copy of it each time that a fragment comes would be quadratic. */
  readonly values: BoundedValues;
  signature: string;
  /** What is written is no JSON, whatever comes behind it. */
  isBroken: boolean;
}

/** The engine runs far fewer; each is compared with all. */
const MAX_CALLS = 1_000;

/**
 * Puts calls together from their fragments, as servers send them: by index, or all at one index (Ollama, Google's endpoint)
 * or at none; the id and the name in the first fragment, in a later one, or in each, an id anew in each (older vLLM), and a
 * name in pieces. Throws `model.too-large`.
 */
export class WireCalls {
  readonly #calls: Call[] = [];

  constructor(private readonly names: Pick<ToolNames, 'meant'> = AS_CALLED) {}

  add(fragment: WireCall, index: number | undefined): void {
    const given = read(fragment, index);
    const open = this.#openFor(given);
    if (!open) this.#push(given);
    else if (!isRepeated(open, given)) {
      if (isNext(open, given)) this.#push(given);
      else addTo(open, given);
    }
  }

  #push(call: Call): void {
    if (this.#calls.length === MAX_CALLS) {
      throw tooLarge(`The model's answer holds more than ${MAX_CALLS} calls.`);
    }
    this.#calls.push(call);
  }

  /** The call that a fragment may belong to: the last one at its place, or before that the one of its id. */
  #openFor({ index, id }: Call): Call | undefined {
    const there = this.#calls.filter((call) => index === undefined || call.index === index);
    return there.findLast((call) => id !== '' && call.id === id) ?? there.at(-1);
  }

  /** The calls in their order; one that came twice in all its parts is one. */
  get parts(): Part[] {
    const isFirst = (call: Call, at: number): boolean =>
      !call.id || !this.#calls.slice(0, at).some((other) => isRepeated(other, call));
    return this.#calls.filter(isFirst).map(({ id, name, written, signature }) => ({
      functionCall: {
        ...(id ? { id } : {}),
        name: this.names.meant(calledName(name)),
        ...readArguments(written),
      },
      ...(signature ? { thoughtSignature: signature, ...cameFrom({ provider: 'openai' }) } : {}),
    }));
  }
}

const AS_CALLED: Pick<ToolNames, 'meant'> = { meant: (name) => name };

function read({ id, function: called, extra_content: extra }: WireCall, index: number | undefined): Call {
  const given = called?.arguments ?? '';
  const written = typeof given === 'string' ? given : JSON.stringify(given);
  const values = new BoundedValues();
  values.add(Buffer.from(written));
  return {
    index,
    id: id ?? '',
    name: called?.name ?? '',
    written,
    values,
    isBroken: false,
    signature: extra?.google?.thought_signature ?? '',
  };
}

/** Two calls of a turn may be alike; of one id as well, they are one that was sent twice. */
function isRepeated(known: Call, given: Call): boolean {
  const isSame = known.id === given.id && known.name === given.name && known.written === given.written;
  return isSame && given.name !== '' && isWhole(known);
}

/** Whether a fragment at the place of a call begins another one: it names it, under an id or with arguments of its own. */
function isNext(open: Call, given: Call): boolean {
  if (!given.name || !open.name) return false;
  const isOtherId = given.id !== '' && open.id !== '' && given.id !== open.id;
  return isOtherId || (isWhole(open) && (given.written !== '' || given.name !== open.name));
}

function addTo(open: Call, given: Call): void {
  open.id ||= given.id;
  open.name = nameOf(open, given);
  open.written += given.written;
  open.values.add(Buffer.from(given.written));
  open.signature ||= given.signature;
}

/** A name comes whole, again, as far as it was written, or piece by piece before the arguments. */
function nameOf(open: Call, { name }: Call): string {
  if (name.startsWith(open.name)) return name;
  return open.written === '' && name !== '' ? open.name + name : open.name;
}

/** Behind so much that is closed and is no JSON, none comes any more. */
const MAX_START = 1_000;

function isWhole(call: Call): boolean {
  if (call.isBroken || !call.values.isClosed) return false;
  try {
    JSON.parse(call.written);
    return true;
  } catch {
    call.isBroken = call.written.length > MAX_START;
    return false;
  }
}
