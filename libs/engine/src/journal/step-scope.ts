import { AsyncLocalStorage } from 'node:async_hooks';
import { Frame } from './frame';

/** A step whose function runs now, and the frame that asked for it. */
interface OpenStep {
  readonly asker: Frame;
  readonly within: Frame;
  readonly around: OpenStep | undefined;
}

const openStep = new AsyncLocalStorage<OpenStep>();

/** Runs the function of a step; what it asks of the same frame has names below the step, which a later run leaves out. */
export function runWithin<T>(asker: Frame, stepKey: string, run: () => T): T {
  return openStep.run({ asker, within: Frame.ofStep(stepKey), around: openStep.getStore() }, run);
}

/** The frame that names what is asked of a frame here: its own, or that of the innermost step whose function asks. */
export function frameHere(frame: Frame): Frame {
  return within(openStep.getStore(), frame);
}

function within(open: OpenStep | undefined, frame: Frame): Frame {
  if (!open) return frame;
  const outside = within(open.around, frame);
  return open.asker === outside ? open.within : outside;
}
