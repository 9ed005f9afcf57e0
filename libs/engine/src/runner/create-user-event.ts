import { type Content, type Event } from '@skein/contracts';
import { Context } from '../agent/context';
import { type InvocationContext } from '../agent/invocation-context';
import { type StepOfEvent } from '../agent/step-of-event';
import { readContent } from '../agent/read-content';
import { redactCredentials } from '../auth/redact-auth-config';
import { createEventActions } from '../event/create-event';
import { Frame } from '../journal/frame';
import { askHook } from './ask-hook';
import { saveInputBlobs } from './save-input-blobs';
import { type SegmentInput } from './segment-input';

/**
 * The event of what the user said, with the state the request brings along, after plugins had their say (B48); nothing
 * when nothing was said. What was stored by an earlier owner is taken as it is, and no plugin is asked again.
 */
export async function createUserEvent(
  root: InvocationContext,
  input: Omit<SegmentInput, 'segment'>,
): Promise<Event | undefined> {
  const { newMessage, stateDelta } = input;
  if (!newMessage && !stateDelta) return undefined;
  const step = { stepKey: root.frame.step('user') };
  const event = root.ledger.takeStored(step) ?? (await newEvent(root, step, input));
  // As it is stored, so that a run that goes on elsewhere sees the same.
  root.userContent = event.content ?? newMessage;
  return event;
}

async function newEvent(
  root: InvocationContext,
  step: StepOfEvent,
  { newMessage, stateDelta }: Omit<SegmentInput, 'segment'>,
): Promise<Event> {
  const actions = createEventActions({ stateDelta: { ...stateDelta } });
  const callbackContext = new Context(root, { actions, frame: Frame.ofStep(step.stepKey) });
  const content =
    newMessage &&
    (await askHook(root, { hook: 'onUserMessageCallback', about: step.stepKey }, () =>
      asHooksWant(root, callbackContext, newMessage),
    ));
  return root.ledger.createStepEvent(
    step,
    { actions, ...(content ? { content: redactCredentials(content) } : {}) },
    { author: 'user' },
  );
}

/** What plugins and the run's own settings make of a message, checked. */
async function asHooksWant(
  invocationContext: InvocationContext,
  callbackContext: Context,
  userMessage: Content,
): Promise<Content> {
  const params = { invocationContext, callbackContext, userMessage };
  const content = (await invocationContext.plugins.first('onUserMessageCallback', params)) ?? userMessage;
  return saveInputBlobs(invocationContext, callbackContext, readContent(content, 'user'));
}
