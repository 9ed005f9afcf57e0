import { type Event } from '@skein/contracts';
import { type InvocationContext } from '../agent/invocation-context';
import { type SegmentInput } from './segment-input';

/** The event of what the user said, with the state the request brings along (B48); nothing when nothing was said. */
export function createUserEvent(root: InvocationContext, input: SegmentInput): Event | undefined {
  const { newMessage, stateDelta } = input;
  if (!newMessage && !stateDelta) return undefined;
  const step = { stepKey: root.frame.step('user') };
  const stored = root.storedEvent(step);
  if (stored) return stored;
  const { customMetadata } = root.invocation.runConfig;
  const event = root.createStepEvent(step, {
    ...(newMessage ? { content: { role: 'user', ...newMessage } } : {}),
    ...(customMetadata ? { customMetadata } : {}),
    actions: { stateDelta: { ...stateDelta } },
  });
  return Object.assign(event, { author: 'user' });
}
