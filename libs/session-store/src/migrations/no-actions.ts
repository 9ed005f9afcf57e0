/** The `actions` an event is made with, as SQL. */
export const NO_ACTIONS = `'{"stateDelta": {}, "artifactDelta": {}, "requestedAuthConfigs": {}, "requestedToolConfirmations": {}}'::jsonb`;
