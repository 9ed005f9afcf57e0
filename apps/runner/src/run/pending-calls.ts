import { type CallProgress, type ToolResultMessage } from '@skein/contracts';

interface OpenCall {
  readonly stepKey: string;
  readonly settle: (result: ToolResultMessage) => void;
  readonly tell: (value: CallProgress['value']) => void;
  /** Of the latest that was told. */
  heard?: Pick<CallProgress, 'attempt' | 'n'>;
}

/** The calls of one run that were dispatched: each waits for its first result. Of a settled one its turn is kept, and no more. */
export class PendingCalls {
  readonly #open = new Map<string, OpenCall>();
  /** The turn of each settled call, by its step. */
  readonly #settled = new Map<string, string>();
  readonly #openOfTurn = new Map<string, Set<string>>();

  /** Registers a call before it is dispatched, so that no result can come too early. `tell` hears how far it has got. */
  expect(
    dispatchId: string,
    stepKey: string,
    tell: OpenCall['tell'] = () => undefined,
  ): Promise<ToolResultMessage> {
    this.#settled.delete(dispatchId);
    const turn = this.#openOfTurn.get(stepKey) ?? new Set();
    this.#openOfTurn.set(stepKey, turn.add(dispatchId));
    return new Promise((settle) => this.#open.set(dispatchId, { stepKey, settle, tell }));
  }

  /** Takes what a worker tells of a call; whether that is open. What is older than what was told before is left out. */
  progress({ dispatchId, attempt, n, value }: CallProgress): boolean {
    const call = this.#open.get(dispatchId);
    if (!call) return false;
    const { heard } = call;
    const isOld = heard && (attempt < heard.attempt || (attempt === heard.attempt && n <= heard.n));
    if (isOld !== true) {
      call.heard = { attempt, n };
      call.tell(value);
    }
    return true;
  }

  /** Takes a result; the first one of a call counts. Answers which this is, nothing for a call nobody waits for. */
  settle(result: ToolResultMessage): 'first' | 'repeat' | undefined {
    const { dispatchId } = result.ticket;
    const call = this.#open.get(dispatchId);
    if (!call) return this.#settled.has(dispatchId) ? 'repeat' : undefined;
    this.#open.delete(dispatchId);
    this.#settled.set(dispatchId, call.stepKey);
    const turn = this.#openOfTurn.get(call.stepKey);
    turn?.delete(dispatchId);
    if (turn?.size === 0) this.#openOfTurn.delete(call.stepKey);
    call.settle(result);
    return 'first';
  }

  /** Whether the turn of a settled call still waits for others: its response event is then not about to be stored. */
  hasOpenSiblings(dispatchId: string): boolean {
    const stepKey = this.#settled.get(dispatchId);
    return stepKey !== undefined && this.#openOfTurn.has(stepKey);
  }
}
