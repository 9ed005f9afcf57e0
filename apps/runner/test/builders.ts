import {
  type Appended,
  type AppendUnit,
  type Handover,
  type OpenCall,
  type Ticket,
  type ToolResultMessage,
} from '@skein/contracts';
import { createEventActions } from '@skein/engine';
import { AppendPipeline, AppendUnitClient } from '@skein/session-client';

export const INVOCATION = 'e-01890000-0000-7000-8000-000000000000';
const KEY = { appName: 'app', userId: 'user', sessionId: 'session' };

export function aHandover(over: Partial<Handover> = {}): Handover {
  return {
    ...KEY,
    sessionUid: 'uid',
    invocationId: INVOCATION,
    epoch: 1,
    attempt: 1,
    segment: 0,
    input: { ordinal: 0, runConfig: { streamingMode: 'none', maxLlmCalls: 500 } },
    baseSeq: 0,
    lastSeq: 0,
    sessionState: {},
    appState: {},
    userState: {},
    fromSeq: 0,
    events: [],
    records: [],
    openCalls: [],
    lastUpdateTime: 0,
    ...over,
  };
}

export function aTicket(dispatchId: string): Ticket {
  return { dispatchId, attempt: 1, deadlineMs: 1_763_640_000_000, hmac: 'hmac' };
}

export function aResult(dispatchId: string, over: Partial<ToolResultMessage> = {}): ToolResultMessage {
  return {
    ...KEY,
    invocationId: INVOCATION,
    tool: 'weather',
    ticket: aTicket(dispatchId),
    outcome: { kind: 'result', value: 'sunny' },
    actions: createEventActions(),
    execution: { worker: 'worker-1', pid: 7, attempt: 1, durationMs: 3 },
    ...over,
  };
}

export function anOpenCall(dispatchId: string, over: Partial<OpenCall> = {}): OpenCall {
  return { dispatchId, ...over };
}

/** A store that keeps what it was sent, and gives every call its ticket. */
export class FakeStore extends AppendUnitClient {
  readonly sent: AppendUnit[] = [];
  answer: (unit: AppendUnit) => Promise<Appended> = async (unit) => appendedFor(unit);

  override append(unit: AppendUnit): Promise<Appended> {
    this.sent.push(structuredClone(unit));
    return this.answer(unit);
  }
}

export function appendedFor({ appendNo, calls }: AppendUnit): Appended {
  const tickets = calls.map(({ dispatchId }) => aTicket(dispatchId));
  return { lastSeq: 10 * appendNo, tickets, cancelRequested: false };
}

export function aPipeline(client: AppendUnitClient, signal = new AbortController().signal): AppendPipeline {
  const owner = { ...KEY, invocationId: INVOCATION, runnerId: 'runner-1', epoch: 1, segment: 0 };
  return new AppendPipeline({ owner, client, lastSeq: 0, signal, onCancelRequested: () => undefined });
}

/** A promise and how to settle it. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
