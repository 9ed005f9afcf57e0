/** A change of the sources, as of tools/mutations: `from` stands exactly once in the file. */
export interface Change {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

export interface BrokenBuild {
  readonly name: string;
  readonly changes: readonly Change[];
  /** What `chaos:quick` has to say of it: another failure would be one of the harness. */
  readonly found: RegExp;
}

/** Builds that break one promise each. The chaos suite is worth something because it fails with them. */
export const brokenBuilds: readonly BrokenBuild[] = [
  {
    name: 'no-fence',
    changes: [
      {
        file: 'libs/session-store/src/migrations/append-statements.ts',
        from: 'AND s.owner_epoch = c.epoch AND s.append_no = c.first_no - 1',
        to: '',
      },
      {
        file: 'libs/session-store/src/migrations/append-statements.ts',
        from: `AND i.owner = c.runner_id AND i.epoch = c.epoch AND i.status = 'running'`,
        to: '',
      },
      // The runner's own watch is the second fence, and would stop the run before it meets the first.
      {
        file: 'apps/runner/src/lease/lease-keeper.ts',
        from: `this.#fenceAtMs = performance.now() + afterMs;
    this.#fence = setTimeout(() => this.#stopAll(), afterMs);`,
        to: 'this.#fenceAtMs = Infinity;\n    void afterMs;',
      },
      {
        file: 'apps/runner/src/lease/lease-keeper.ts',
        from: 'if (!held.includes(run.invocationId)) run.stop(',
        to: `if (held.includes('nobody')) run.stop(`,
      },
    ],
    found: /FAILED (divergent|appliedTwice|askedAgain|lost): /,
  },
  {
    name: 'no-dedupe',
    changes: [
      {
        file: 'libs/session-client/src/remote-journal.ts',
        from: 'return this.#events.get(stepKey);',
        to: 'void stepKey;\n    return undefined;',
      },
    ],
    // The run itself may notice first: what is stored was not come to.
    found: /FAILED (?:(?:askedAgain|divergent|appliedTwice): |lost: .*REPLAY_DIVERGED)/,
  },
  {
    name: 'ack-before-effect',
    changes: [
      {
        file: 'libs/messaging/src/work/consume-work.ts',
        from: `      await processingSpan(message.raw, message.info, () => this.#handleTold(message));
      metrics.messages.increment({ stream, outcome: 'done' });
      this.#done.add(message);`,
        to: `      message.ack();
      await processingSpan(message.raw, message.info, () => this.#handleTold(message));
      metrics.messages.increment({ stream, outcome: 'done' });`,
      },
    ],
    found: /FAILED (divergent|lost): /,
  },
];
