/** What a user says next: words, or the answer to the one call of this name that is open. */
export type Input = { readonly say: string } | { readonly answer: string; readonly response: object };

export interface Scenario {
  readonly app: string;
  readonly inputs: readonly Input[];
  /** Its agents run side by side: what stands between them in the log is told by nobody. */
  readonly isParallel?: boolean;
  readonly streaming?: boolean;
}

/** The load under which processes are killed: each way an agent can go on, with tools of both kinds. */
export const scenarios: readonly Scenario[] = [
  { app: 'errand', inputs: [{ say: 'Fetch.' }, { say: 'Pay.' }] },
  { app: 'fan', inputs: [{ say: 'Look.' }] },
  {
    app: 'plan',
    inputs: [{ say: 'Plan.' }, { answer: 'adk_request_confirmation', response: { confirmed: true } }],
    isParallel: true,
  },
  { app: 'desk', inputs: [{ say: 'File this.' }, { say: 'Back, please.' }] },
  { app: 'keeper', inputs: [{ say: 'Keep.' }, { say: 'Keep.' }], streaming: true },
  { app: 'ledger', inputs: [{ say: 'Book.' }] },
];

/** For faults that are aimed at: each of its two tools takes a while. */
export const slow: Scenario = { app: 'slow', inputs: [{ say: 'Take your time.' }] };
