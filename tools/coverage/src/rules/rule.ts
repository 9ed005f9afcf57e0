/** One rule of ADK's behaviour, by the number that tests name it with. */
export interface Rule {
  readonly number: number;
  readonly title: string;
  readonly statement: string;
  /** Said beside the tests: what part of the rule is of a later step. */
  readonly note?: string;
  /** Why no test names the rule yet, and when one will. */
  readonly deferred?: string;
}

/** Rules that belong together, in the page's order. */
export interface RuleGroup {
  readonly title: string;
  readonly rules: readonly Rule[];
}
