import {
  AgentTool,
  FunctionTool,
  LoopAgent,
  ParallelAgent,
  RoutedAgent,
  Runner,
  SequentialAgent,
} from '@skein/engine';

// An agent file gets the one `@skein/adk` of the process, so that a class is enough of a mark.

export function isAgentTool(value: unknown): value is AgentTool {
  return value instanceof AgentTool;
}

export function isFunctionTool(value: unknown): value is FunctionTool {
  return value instanceof FunctionTool;
}

export function isLoopAgent(value: unknown): value is LoopAgent {
  return value instanceof LoopAgent;
}

export function isParallelAgent(value: unknown): value is ParallelAgent {
  return value instanceof ParallelAgent;
}

export function isRoutedAgent(value: unknown): value is RoutedAgent {
  return value instanceof RoutedAgent;
}

export function isSequentialAgent(value: unknown): value is SequentialAgent {
  return value instanceof SequentialAgent;
}

export function isRunner(value: unknown): value is Runner {
  return value instanceof Runner;
}
