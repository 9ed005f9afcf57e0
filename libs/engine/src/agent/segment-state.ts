import { type Content, type RunConfig } from '@skein/contracts';
import { Course } from '../journal/course';
import { type Frame } from '../journal/frame';
import { ReplayOrder } from '../journal/replay-order';
import { UnreadSteps } from '../journal/unread-steps';
import { PluginManager } from '../plugin/plugin-manager';
import { type AgentStates } from './agent-states';
import { Failures } from './failures';
import { type Invocation } from './invocation';
import { LlmCallCounter } from './llm-call-counter';
import { type KnownStep } from './step-of-event';

/** What all contexts of one segment have in common. */
export interface SegmentState {
  readonly invocation: Invocation;
  readonly plugins: PluginManager;
  readonly llmCalls: LlmCallCounter;
  /** The app's own, and over it what this run was asked for. */
  readonly runConfig: RunConfig;
  readonly steps: Map<string, KnownStep>;
  readonly failures: Failures;
  readonly replay: ReplayOrder;
  readonly storedSteps: readonly string[];
  readonly course: Course;
  /** Where agents of a resumable app stood when the segment began (B54); nothing for an app that is not. */
  readonly agentStates: AgentStates | undefined;
  userContent: Content | undefined;
}

/** As a segment begins: nothing of it was gone through yet. `frame` is that of its root. */
export function openSegment(
  invocation: Invocation,
  frame: Frame,
  agentStates: AgentStates | undefined,
): SegmentState {
  const runConfig = Object.assign({}, invocation.app.runConfig, invocation.runConfig);
  const { journal } = invocation;
  const { storedSteps } = journal;
  const ownSteps = storedSteps.filter((stepKey) => stepKey.startsWith(`${frame.path}/`));
  const replay = new ReplayOrder(ownSteps, invocation.outerReplay);
  return {
    invocation,
    plugins: new PluginManager(invocation.app.plugins),
    runConfig,
    llmCalls: new LlmCallCounter(runConfig.maxLlmCalls),
    steps: new Map(),
    failures: new Failures(journal, replay),
    replay,
    storedSteps,
    course: new Course(new UnreadSteps(frame.path, journal)),
    agentStates,
    userContent: invocation.userContent,
  };
}
