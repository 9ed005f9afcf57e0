import { type Content, type RunConfig } from '@skein/contracts';
import { type Asked } from '../journal/asked';
import { type Frame } from '../journal/frame';
import { ReplayOrder } from '../journal/replay-order';
import { UnreadSteps } from '../journal/unread-steps';
import { PluginManager } from '../plugin/plugin-manager';
import { type AgentStates } from './agent-states';
import { type Invocation } from './invocation';
import { LlmCallCounter } from './llm-call-counter';

/** The step an event comes from, and the calls whose responses it carries. */
export interface StepOfEvent {
  readonly stepKey: string;
  readonly appliedCalls?: readonly string[];
  /** What it asks for, where its kind and its agent are not all of it. */
  readonly asked?: Asked;
}

/** A step with the hash of what it asked for. */
export type KnownStep = StepOfEvent & { readonly hash?: string | undefined };

/** What all contexts of one segment have in common. */
export interface SegmentState {
  readonly invocation: Invocation;
  readonly plugins: PluginManager;
  readonly llmCalls: LlmCallCounter;
  /** The app's own, and over it what this run was asked for. */
  readonly runConfig: RunConfig;
  readonly steps: Map<string, KnownStep>;
  /** What was thrown and noted: it passes through every agent above. */
  readonly failures: Set<unknown>;
  readonly replay: ReplayOrder;
  readonly storedSteps: readonly string[];
  readonly unread: UnreadSteps;
  /** Where agents of a resumable app stood when the segment began (B54); nothing for an app that is not. */
  readonly agentStates: AgentStates | undefined;
  userContent: Content | undefined;
  /** The innermost agent that failed. */
  failedAgent: string | undefined;
  divergence: Error | undefined;
}

/** As a segment begins: nothing of it was gone through yet. `frame` is that of its root. */
export function openSegment(
  invocation: Invocation,
  frame: Frame,
  agentStates: AgentStates | undefined,
): SegmentState {
  const runConfig = { ...invocation.app.runConfig, ...invocation.runConfig };
  const { storedSteps } = invocation.journal;
  return {
    invocation,
    plugins: new PluginManager(invocation.app.plugins),
    runConfig,
    llmCalls: new LlmCallCounter(runConfig.maxLlmCalls),
    steps: new Map(),
    failures: new Set(),
    replay: new ReplayOrder(storedSteps.filter((stepKey) => stepKey.startsWith(`${frame.path}/`))),
    storedSteps,
    unread: new UnreadSteps(frame.path, invocation.journal),
    agentStates,
    userContent: invocation.userContent,
    failedAgent: undefined,
    divergence: undefined,
  };
}
