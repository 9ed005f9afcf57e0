import { type ActiveRun } from '../run/active-run';

/** Whether a unit that applies a call is stored by then, while its run goes on here. */
export async function isStoredInTime(run: ActiveRun, dispatchId: string, boundMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  let giveUp: () => void = () => undefined;
  const late = new Promise<false>((resolve) => {
    giveUp = () => resolve(false);
    timer = setTimeout(giveUp, boundMs);
    run.signal.addEventListener('abort', giveUp, { once: true });
  });
  const stored = run.pipeline?.whenApplied(dispatchId).then(
    () => true,
    // The unit was refused: whoever owns the session now finds the result in the store.
    () => false,
  );
  const isStored = await Promise.race([stored, late]);
  clearTimeout(timer);
  run.signal.removeEventListener('abort', giveUp);
  return isStored ?? false;
}
