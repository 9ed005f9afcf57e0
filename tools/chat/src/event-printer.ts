import {
  isFailure,
  isReset,
  type ToolRun,
  type WireEvent,
  type WireFrame,
  type WirePart,
} from './wire-event';

const maxArgumentsLength = 200;
const transferTool = 'transfer_to_agent';
/** Their calls are put to the user as questions. */
const questions: ReadonlySet<string | undefined> = new Set([
  'adk_request_confirmation',
  'adk_request_credential',
  'get_user_choice',
]);

/** Turns the frames of an answer into terminal text, each token once. */
export class EventPrinter {
  /** What was printed of each event as it streamed; its complete form must not be printed again. */
  readonly #streamed = new Map<string, string>();
  /** What streamed of an event after its first pieces were void: printed only where it goes beyond those. */
  readonly #retold = new Map<string, string>();
  /** The event that streams, until it is complete. */
  #streaming: string | undefined;
  #isInLine = false;
  #author: string | undefined;
  #lastFailure: string | undefined;

  constructor(private readonly write: (text: string) => void) {}

  /** What went wrong before, and what streamed before, is of no more interest. */
  beginTurn(): void {
    this.#lastFailure = undefined;
    this.#streaming = undefined;
    this.#streamed.clear();
    this.#retold.clear();
  }

  /** Whether an error was shown in this turn. */
  get hasFailed(): boolean {
    return this.#lastFailure !== undefined;
  }

  print(frame: WireFrame): void {
    // The end of a failed run repeats what its last event told already.
    if (isFailure(frame)) {
      if (frame.error !== this.#lastFailure) this.fail(frame.error);
    } else if (isReset(frame)) this.#retold.set(frame.reset, '');
    else this.#printEvent(frame);
  }

  #printEvent(frame: WireEvent): void {
    if (frame.partial !== true) this.#dropOtherText(frame);
    for (const part of frame.content?.parts ?? []) this.#printPart(part, frame);
    if (frame.partial !== true) this.#printActions(frame);
    if (frame.partial !== true) this.#complete(frame);
    if (frame.errorCode !== undefined || frame.errorMessage !== undefined) {
      this.fail([frame.errorCode, frame.errorMessage].filter((text) => text !== undefined).join(': '));
    }
  }

  /** Shows an error in a line of its own. */
  fail(sentence: string): void {
    this.#lastFailure = sentence;
    this.line(`! ${sentence.replace(/\s+/g, ' ')}`);
  }

  line(text: string): void {
    this.endLine();
    this.write(`${printable(text)}\n`);
  }

  endLine(): void {
    if (this.#isInLine) this.write('\n');
    this.#isInLine = false;
  }

  #printPart(part: WirePart, event: WireEvent): void {
    if (part.text !== undefined && part.thought !== true) this.#printText(part.text, event);
    if (event.partial === true) return;
    const { functionCall, functionResponse } = part;
    if (functionCall && functionCall.name !== transferTool && !questions.has(functionCall.name)) {
      this.#lineOf(event, `→ ${functionCall.name ?? '?'}(${shortJson(functionCall.args)})`);
    }
    if (functionResponse && !(functionResponse.name === transferTool && event.actions?.transferToAgent)) {
      this.#lineOf(event, `← ${describeResponse(functionResponse, event)}`);
    }
  }

  #printActions({ author = '', actions = {} }: WireEvent): void {
    this.endLine();
    const { transferToAgent, artifactDelta = {} } = actions;
    if (transferToAgent !== undefined) this.line(`${author} → ${transferToAgent}`);
    for (const [name, version] of Object.entries(artifactDelta)) {
      this.line(`saved ${name}, version ${version}`);
    }
  }

  /** A line of an agent. Its name goes before it when another one did something before. */
  #lineOf({ author = '' }: WireEvent, text: string): void {
    const isOther = this.#author !== undefined && this.#author !== author && isAgent(author);
    this.#noteAuthor(author);
    this.line(isOther ? `${author}: ${text}` : text);
  }

  #printText(text: string, { id = '', author = '', partial }: WireEvent): void {
    if (partial === true) this.#printPiece(text, id, author);
    else {
      // What streamed is how this event begins; a second text part of it follows what the first one repeated.
      const before = this.#streamed.get(id) ?? '';
      this.#streamed.set(id, before.slice(text.length));
      this.#append(text.slice(before.length), author);
    }
  }

  #printPiece(piece: string, id: string, author: string): void {
    this.#streaming ??= id;
    // Agents that run at the same time would stream into one another: the others are shown when they are complete.
    if (this.#streaming !== id) return;
    const printed = this.#streamed.get(id) ?? '';
    const told = (this.#retold.get(id) ?? printed) + piece;
    if (this.#retold.has(id)) this.#retold.set(id, told);
    // Nothing new yet, or another text, which is shown when it is complete.
    if (!told.startsWith(printed)) return;
    this.#streamed.set(id, told);
    this.#append(told.slice(printed.length), author);
  }

  /** A callback or another runner may have put another text in place of the streamed one: it goes below. */
  #dropOtherText({ id = '', content }: WireEvent): void {
    const texts = (content?.parts ?? [])
      .filter(({ thought }) => thought !== true)
      .map(({ text }) => text ?? '');
    if (texts.join('').startsWith(this.#streamed.get(id) ?? '')) return;
    this.#streamed.delete(id);
    this.endLine();
  }

  #complete({ id = '' }: WireEvent): void {
    this.#streamed.delete(id);
    this.#retold.delete(id);
    if (id === this.#streaming) this.#streaming = undefined;
  }

  #append(text: string, author: string): void {
    if (text === '') return;
    if (author !== this.#author) this.endLine();
    if (!this.#isInLine && author !== '') this.write(`${printable(author)}: `);
    this.#noteAuthor(author);
    this.write(printable(text));
    this.#isInLine = true;
  }

  #noteAuthor(author: string): void {
    if (isAgent(author)) this.#author = author;
  }
}

function isAgent(author: string): boolean {
  return author !== '' && author !== 'user';
}

function describeResponse(
  { id, name = '?', response }: NonNullable<WirePart['functionResponse']>,
  event: WireEvent,
): string {
  const run = event.customMetadata?.['skein.tools']?.find(({ callId }) => callId === id);
  const duration = run?.durationMs === undefined ? '' : ` ${Math.round(run.durationMs)} ms`;
  return `${name}${duration}${run ? describeWorker(run) : ''}${describeOutcome(id, response, event)}`;
}

function describeWorker({ worker, pid }: ToolRun): string {
  const parts = [...(worker === undefined ? [] : [worker]), ...(pid === undefined ? [] : [`pid ${pid}`])];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function describeOutcome(id = '', response: unknown, { actions }: WireEvent): string {
  // The error in such a response tells the model the same; for a reader nothing has failed.
  if (actions?.requestedToolConfirmations?.[id] !== undefined) return ' waits for your approval';
  if (actions?.requestedAuthConfigs?.[id] !== undefined) return ' waits for a credential';
  if (typeof response !== 'object' || response === null || !('error' in response)) return '';
  const { error } = response;
  return ` failed: ${typeof error === 'string' ? error : shortJson(error)}`;
}

function shortJson(value: unknown): string {
  const text = JSON.stringify(value ?? {});
  return text.length > maxArgumentsLength ? `${text.slice(0, maxArgumentsLength)}…` : text;
}

/** A model or a tool must not drive the terminal: of the control characters only newline and tab pass. */
function printable(text: string): string {
  return text.replace(/(?![\n\t])\p{Cc}/gu, '');
}
