import { type ToolResultMessage } from '@skein/contracts';

interface PendingCall {
  readonly stepKey: string;
  readonly result: Promise<ToolResultMessage>;
  readonly settle: (result: ToolResultMessage) => void;
  settled: boolean;
}

/** The calls of one run that were dispatched: each waits for its first result. */
export class PendingCalls {
  readonly #calls = new Map<string, PendingCall>();

  /** Registers a call before it is dispatched, so that no result can come too early. */
  expect(dispatchId: string, stepKey: string): Promise<ToolResultMessage> {
    let settle: PendingCall['settle'] = () => undefined;
    const result = new Promise<ToolResultMessage>((resolve) => (settle = resolve));
    this.#calls.set(dispatchId, { stepKey, result, settle, settled: false });
    return result;
  }

  /** Takes a result; the first one of a call counts. Answers which this is, nothing for a call nobody waits for. */
  settle(result: ToolResultMessage): 'first' | 'repeat' | undefined {
    const call = this.#calls.get(result.ticket.dispatchId);
    if (!call) return undefined;
    if (call.settled) return 'repeat';
    call.settled = true;
    call.settle(result);
    return 'first';
  }

  /** Whether the turn of a call still waits for others: its response event is then not about to be stored. */
  hasOpenSiblings(dispatchId: string): boolean {
    const stepKey = this.#calls.get(dispatchId)?.stepKey;
    return [...this.#calls.values()].some((call) => call.stepKey === stepKey && !call.settled);
  }
}
