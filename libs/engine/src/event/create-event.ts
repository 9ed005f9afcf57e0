import { type Event, type EventActions } from '@skein/contracts';

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

export type CreateEventParams = Omit<Partial<Event>, 'actions'> &
  Pick<Event, 'id' | 'invocationId' | 'author' | 'timestamp'> & { readonly actions?: Partial<EventActions> };

/** An event with every field the wire demands. `timestamp` is in float seconds. */
export function createEvent(params: CreateEventParams): Event {
  return { ...params, actions: createEventActions(params.actions) };
}
