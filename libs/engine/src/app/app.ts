import { AdkError, appNameSchema, type RunConfig, runConfigSchema } from '@skein/contracts';
import { assertAgentTree } from '../agent/agent-tree';
import { type BaseAgent, isBaseAgent } from '../agent/base-agent';
import {
  assertEventsCompactionConfig,
  type EventsCompactionConfig,
} from '../compaction/events-compaction-config';
import { type BasePlugin, isBasePlugin } from '../plugin/base-plugin';
import { PluginManager } from '../plugin/plugin-manager';

export interface ResumabilityConfig {
  /** An invocation that paused or was cut goes on where it was, agent by agent (B54). */
  readonly isResumable: boolean;
}

/** What a run needs to know of its app. */
export interface RunnableApp {
  readonly rootAgent: BaseAgent;
  readonly plugins?: readonly BasePlugin[];
  readonly resumabilityConfig?: ResumabilityConfig | undefined;
  readonly eventsCompactionConfig?: EventsCompactionConfig | undefined;
  /** How every run of the app behaves, where the run itself does not say. */
  readonly runConfig?: RunConfig | undefined;
  /**
   * What becomes of a run that was taken over and whose code goes another way than what is stored of it: it fails with
   * `REPLAY_DIVERGED` (the default), or goes on, what is stored being its history.
   */
  readonly onDivergence?: OnDivergence | undefined;
}

export type OnDivergence = 'fail' | 'continue';

export interface AppConfig extends RunnableApp {
  readonly name: string;
}

const MARKER: unique symbol = Symbol.for('skein.App');

/** Whether a value is an app, also when it came from another copy of this package. */
export function isApp(value: unknown): value is App {
  return typeof value === 'object' && value !== null && MARKER in value;
}

/** What an agents folder may export instead of a bare root agent. */
export class App implements RunnableApp {
  readonly [MARKER] = true;
  readonly name: string;
  readonly rootAgent: BaseAgent;
  readonly plugins: readonly BasePlugin[];
  readonly resumabilityConfig: ResumabilityConfig | undefined;
  readonly eventsCompactionConfig: EventsCompactionConfig | undefined;
  readonly runConfig: RunConfig | undefined;
  readonly onDivergence: OnDivergence;

  /** Throws `app.name`, `app.root-agent`, `app.plugin`, `plugin.duplicate`, `compaction.config`, `app.run-config`, `app.on-divergence` or what is wrong with the tree. */
  constructor(config: AppConfig) {
    const { name, rootAgent, plugins = [], resumabilityConfig, eventsCompactionConfig, runConfig } = config;
    assertAppName(name);
    if (!isBaseAgent(rootAgent)) {
      throw new AdkError('invalid', 'app.root-agent', `App "${name}": rootAgent is not an agent.`);
    }
    if (!plugins.every(isBasePlugin)) {
      throw new AdkError('invalid', 'app.plugin', `App "${name}": one of its plugins is not a plugin.`);
    }
    assertAgentTree(rootAgent);
    if (eventsCompactionConfig) assertEventsCompactionConfig(eventsCompactionConfig);
    this.name = name;
    this.rootAgent = rootAgent;
    this.plugins = new PluginManager(plugins).plugins;
    this.resumabilityConfig = resumabilityConfig;
    this.eventsCompactionConfig = eventsCompactionConfig;
    this.runConfig = readRunConfig(name, runConfig);
    this.onDivergence = readOnDivergence(name, config.onDivergence);
  }
}

function assertAppName(name: string): void {
  const checked = appNameSchema.safeParse(name);
  if (checked.success) return;
  const reasons = checked.error.issues.map(({ message }) => message).join('; ');
  throw new AdkError('invalid', 'app.name', `"${name}" is not a name for an app: it ${reasons}.`);
}

function readOnDivergence(name: string, onDivergence: unknown = 'fail'): OnDivergence {
  if (onDivergence === 'fail' || onDivergence === 'continue') return onDivergence;
  throw new AdkError(
    'invalid',
    'app.on-divergence',
    `App "${name}": onDivergence must be 'fail' or 'continue'.`,
  );
}

function readRunConfig(name: string, runConfig: RunConfig | undefined): RunConfig | undefined {
  if (!runConfig) return undefined;
  const read = runConfigSchema.safeParse(runConfig);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new AdkError(
    'invalid',
    'app.run-config',
    `App "${name}": runConfig.${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not right'}.`,
  );
}
