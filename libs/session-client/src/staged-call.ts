import { AdkError, type AppendUnit, type CallContext, type CallRow, type Content } from '@skein/contracts';

/** What a call is sent with. Calls with the same `state` object, and the same `userContent`, share what is sent of it. */
export interface GivenContext {
  readonly state: Readonly<Record<string, unknown>>;
  /** What holds for this call alone. */
  readonly stateDelta: Readonly<Record<string, unknown>>;
  readonly userContent: Content | undefined;
  /** By which the run knows a result before it is told the call's ticket. */
  readonly nonce?: string | undefined;
}

export interface StagedCall {
  readonly row: CallRow;
  /** Asked when the unit leaves; nothing for a call that nobody waits for any more. */
  readonly context: () => GivenContext | undefined;
}

/** A call that is to be sent, with what it is sent with. */
export interface WantedCall {
  readonly row: CallRow;
  readonly given: GivenContext;
}

/** Those that are still to be sent as their unit leaves. */
export function wantedOf(calls: readonly StagedCall[]): WantedCall[] {
  return calls.flatMap(({ row, context }) => {
    const given = context();
    return given ? [{ row, given }] : [];
  });
}

/** Each state once, however many calls of the unit are made in it. */
export function toSending(calls: readonly WantedCall[]): CallContext[] {
  const groups: { readonly given: GivenContext; readonly sending: CallContext }[] = [];
  for (const { row, given } of calls) {
    const { state, stateDelta, userContent, nonce } = given;
    const hasDelta = Object.keys(stateDelta).length > 0;
    const call = {
      dispatchId: row.dispatchId,
      ...(hasDelta && { stateDelta: { ...stateDelta } }),
      ...(nonce !== undefined && { nonce }),
    };
    const group = groups.find((one) => one.given.state === state && one.given.userContent === userContent);
    if (group) group.sending.calls.push(call);
    // A copy: the unit may be sent again, and the session goes on meanwhile.
    else groups.push({ given, sending: { state: { ...state }, userContent, calls: [call] } });
  }
  return groups.map(({ sending }) => sending);
}

/** Whether it is only the states that make a unit too large to be sent: they are stored, and need not come along. */
export function isTooLarge(error: unknown, { sending = [] }: AppendUnit): boolean {
  const hasStates = sending.some(({ state }) => state !== undefined);
  return hasStates && AdkError.isInstance(error) && error.code === 'payload.size';
}

export function withoutStates({ sending = [], ...unit }: AppendUnit): AppendUnit {
  return { ...unit, sending: sending.map(({ state: _state, ...context }) => context) };
}
