import { BY_KEY } from './planner';

/**
 * Events go with their session, as by a foreign key; but that would look for the session of each event that is stored,
 * for a seventh of what an append takes. Every writer of events holds the lock of the session's row, so there is nothing
 * to look for (ADR 18). Whoever deletes has waited for that lock, and this statement sees what was committed until then.
 */
const createForgetEvents = `
CREATE FUNCTION skein_forget_events()
RETURNS trigger
LANGUAGE plpgsql ${BY_KEY} AS $$
BEGIN
  DELETE FROM adk_events e USING gone s
   WHERE e.app_name = s.app_name AND e.user_id = s.user_id AND e.session_id = s.id;
  RETURN NULL;
END $$`;

const createForgetEventsTrigger = `
CREATE TRIGGER adk_sessions_forget_events AFTER DELETE ON adk_sessions
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION skein_forget_events()`;

export const createForgetFunctions = [createForgetEvents, createForgetEventsTrigger];

export const dropForgetFunctions = [
  'DROP TRIGGER adk_sessions_forget_events ON adk_sessions',
  'DROP FUNCTION skein_forget_events()',
];
