import type { ToolRun, WireEvent, WireFrame, WirePart } from './wire-event';

const maxArgumentsLength = 200;

/** Turns the frames of an answer into terminal text, each token once. */
export class EventPrinter {
  /** What was printed of each event as it streamed; its complete form must not be printed again. */
  readonly #streamed = new Map<string, string>();
  #isInLine = false;
  #lastFailure: string | undefined;

  constructor(private readonly write: (text: string) => void) {}

  /** Whether an error was shown. */
  get hasFailed(): boolean {
    return this.#lastFailure !== undefined;
  }

  print(frame: WireFrame): void {
    if (isFailure(frame)) {
      // The end of a failed run repeats what its last event told already.
      if (frame.error !== this.#lastFailure) this.fail(frame.error);
      return;
    }
    for (const part of frame.content?.parts ?? []) this.#printPart(part, frame);
    if (frame.partial !== true) this.endLine();
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
    if (part.functionCall)
      this.line(`→ ${part.functionCall.name ?? '?'}(${shortJson(part.functionCall.args)})`);
    if (part.functionResponse) this.line(`← ${describeResponse(part.functionResponse, event)}`);
  }

  #printText(text: string, { id = '', author = '', partial }: WireEvent): void {
    const before = this.#streamed.get(id) ?? '';
    if (partial === true) {
      this.#streamed.set(id, before + text);
      this.#append(text, author);
    } else if (before.startsWith(text)) {
      // It was read as it streamed. A second text part of this event follows what this one repeated.
      this.#streamed.set(id, before.slice(text.length));
    } else {
      const isContinued = text.startsWith(before);
      if (!isContinued) this.endLine(); // A callback put another text in place of the streamed one.
      this.#streamed.delete(id);
      this.#append(isContinued ? text.slice(before.length) : text, author);
    }
  }

  #append(text: string, author: string): void {
    if (text === '') return;
    if (!this.#isInLine && author !== '') this.write(`${printable(author)}: `);
    this.write(printable(text));
    this.#isInLine = true;
  }
}

function isFailure(frame: WireFrame): frame is WireFrame & { error: string } {
  return 'error' in frame && typeof frame.error === 'string';
}

function describeResponse(
  { id, name = '?', response }: NonNullable<WirePart['functionResponse']>,
  event: WireEvent,
): string {
  const run = event.customMetadata?.['skein.tools']?.find(({ callId }) => callId === id);
  const duration = run?.durationMs === undefined ? '' : ` ${Math.round(run.durationMs)} ms`;
  return `${name}${duration}${run ? describeWorker(run) : ''}${describeToolError(response)}`;
}

function describeWorker({ worker, pid }: ToolRun): string {
  const parts = [...(worker === undefined ? [] : [worker]), ...(pid === undefined ? [] : [`pid ${pid}`])];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function describeToolError(response: unknown): string {
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
