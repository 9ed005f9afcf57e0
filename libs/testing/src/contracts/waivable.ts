/// <reference types="jest" />

/** Titles of cases that a server of somebody else cannot pass, each with the reason. */
export type Waived = Readonly<Record<string, string>>;

/** Which cases are waived is asked when they run: by then the server has said what it is. */
export type FindWaived = () => Promise<Waived>;

export type DefineCase = (title: string, run: () => Promise<void>, deadlineMs?: number) => void;

/**
 * A way to write cases of a contract that may be waived. A waived case runs as well, and fails once it passes, so that a
 * waiver ends with its reason; `expectToBeCases` fails for one whose case was renamed.
 */
export function waivable(findWaived: FindWaived) {
  const titles = new Set<string>();
  const does: DefineCase = (title, run, deadlineMs) => {
    titles.add(title);
    it(title, async () => runUnlessWaived((await findWaived())[title], run), deadlineMs);
  };
  const expectToBeCases = async (): Promise<void> => {
    const waived = Object.keys(await findWaived());
    expect(waived.filter((title) => !titles.has(title))).toEqual([]);
  };
  return { does, expectToBeCases };
}

/** Rejects when a waived case passes, or another fails. */
export async function runUnlessWaived(reason: string | undefined, run: () => Promise<void>): Promise<void> {
  if (reason === undefined) return run();
  const passes = await run().then(
    () => true,
    () => false,
  );
  if (passes) throw new Error(`This case is waived, and passes. The waiver said: ${reason}`);
}
