import { type Event } from '@skein/contracts';
import { type InvocationContext } from '../agent/invocation-context';
import { readContent } from '../agent/read-content';
import { SKIPPED_MODEL } from '../flow/answers-of';
import { askHook } from './ask-hook';

/** What a plugin says in the place of the whole run (B51); nothing when the run goes on. Asked once, also after a crash. */
export async function runBeforeRun(root: InvocationContext): Promise<Event | undefined> {
  if (!root.plugins.has('beforeRunCallback')) return undefined;
  const step = { stepKey: root.frame.step('run') };
  const stored = root.ledger.takeStored(step);
  if (stored || (await root.ledger.takeEmpty(step.stepKey))) return stored;
  // The run went on without it before the crash: the plugin is new since then.
  if (root.course.unread.firstBelow(root.frame.path, step.stepKey) !== undefined) return undefined;
  const params = { invocationContext: root };
  const content = await askHook(root, { hook: 'beforeRunCallback', about: step.stepKey }, () =>
    root.plugins.first('beforeRunCallback', params),
  );
  if (!content) {
    root.ledger.stageEmpty(step.stepKey);
    return undefined;
  }
  const customMetadata = { [SKIPPED_MODEL]: true };
  return root.ledger.createStepEvent(
    step,
    { content: readContent(content, 'model'), customMetadata },
    { author: 'model' },
  );
}
