import { type Content, type ContentLike, type Event, type EventActions } from '@skein/contracts';

/** Actions that do nothing: the four maps are present because official clients read them unasked. */
export function createEventActions(actions: Partial<EventActions> = {}): EventActions {
  return {
    stateDelta: {},
    artifactDelta: {},
    requestedAuthConfigs: {},
    requestedToolConfirmations: {},
    ...actions,
  };
}

export type CreateEventParams = Omit<Partial<Event>, 'actions' | 'content'> & {
  readonly content?: Content | ContentLike;
  readonly actions?: Partial<EventActions>;
};

/**
 * An event with every field the wire demands. `timestamp` is in float seconds. Of one that an agent yields, id, time, run and
 * author are given to it by where it stands, so that they may be left out.
 */
export function createEvent(params: CreateEventParams = {}): Event {
  const { content, ...rest } = params;
  return {
    id: '',
    invocationId: '',
    author: '',
    timestamp: 0,
    ...rest,
    // Whoever stores an event reads its content.
    ...(content ? { content: content as Content } : {}),
    actions: createEventActions(params.actions),
  };
}
