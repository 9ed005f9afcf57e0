/** What `fromEventRow` reads. The timestamp leaves as seconds: a JavaScript Date would lose its microseconds. */
export const EVENT_COLUMNS = `
  e.id, e.invocation_id, e.author, e.branch, e.content, e.actions, e.turn_complete, e.error_code, e.error_message,
  e.interrupted, e.custom_metadata, e.usage_metadata, e.citation_metadata, e.grounding_metadata,
  e.long_running_tool_ids, e.partial, e.extra, e.seq, e.step_key, e.step_hash,
  extract(epoch FROM e."timestamp")::float8 AS seconds`;
