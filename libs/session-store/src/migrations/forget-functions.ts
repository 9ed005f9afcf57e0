import { BY_KEY } from './planner';

/**
 * Events and invocations go with their session, as by a foreign key; but that would look for the session of each row that is
 * stored. Every writer of them holds the lock of the session's row, so there is nothing to look for (ADR 18, ADR 22).
 * Whoever deletes has waited for that lock, and these statements see what was committed until then.
 */
const createForgetEvents = `
CREATE FUNCTION skein_forget_events()
RETURNS trigger
LANGUAGE plpgsql ${BY_KEY} AS $$
BEGIN
  DELETE FROM adk_events e USING gone s
   WHERE e.app_name = s.app_name AND e.user_id = s.user_id AND e.session_id = s.id;
  DELETE FROM adk_invocations i USING gone s
   WHERE i.app_name = s.app_name AND i.user_id = s.user_id AND i.session_id = s.id;
  RETURN NULL;
END $$`;

const createForgetEventsTrigger = `
CREATE TRIGGER adk_sessions_forget_events AFTER DELETE ON adk_sessions
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION skein_forget_events()`;

/** Inputs and calls are stored under the lock of their invocation's session, and go with the invocation. */
const createForgetInvocations = `
CREATE FUNCTION skein_forget_invocations()
RETURNS trigger
LANGUAGE plpgsql ${BY_KEY} AS $$
BEGIN
  DELETE FROM adk_inputs d USING gone i WHERE d.invocation_id = i.id;
  DELETE FROM adk_tool_calls t USING gone i WHERE t.invocation_id = i.id;
  RETURN NULL;
END $$`;

const createForgetInvocationsTrigger = `
CREATE TRIGGER adk_invocations_forget AFTER DELETE ON adk_invocations
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION skein_forget_invocations()`;

export const createForgetFunctions = [
  createForgetEvents,
  createForgetEventsTrigger,
  createForgetInvocations,
  createForgetInvocationsTrigger,
];

export const dropForgetFunctions = [
  'DROP TRIGGER adk_invocations_forget ON adk_invocations',
  'DROP FUNCTION skein_forget_invocations()',
  'DROP TRIGGER adk_sessions_forget_events ON adk_sessions',
  'DROP FUNCTION skein_forget_events()',
];
