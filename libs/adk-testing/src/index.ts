export { agentMatchers } from './matchers/agent-matchers';
export type {} from './matchers/matcher-types';
export { type RunOrEvents } from './matchers/show-events';
export { type AgentRun } from './run/agent-run';
export { AgentSession, type AgentSessionOptions, runAgent } from './run/agent-session';
export { calls, fails, says, streams, together, transfersTo } from './script/answers';
export { RecordingLlm, type Script, scripted } from './script/recording-llm';
export { standIn } from './script/stand-in';
