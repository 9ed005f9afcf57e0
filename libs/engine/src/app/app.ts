import { AdkError, appNameSchema } from '@skein/contracts';
import { type BaseAgent, isBaseAgent } from '../agent/base-agent';

export interface AppConfig {
  readonly name: string;
  readonly rootAgent: BaseAgent;
}

const MARKER: unique symbol = Symbol.for('skein.App');

/** Whether a value is an app, also when it came from another copy of this package. */
export function isApp(value: unknown): value is App {
  return typeof value === 'object' && value !== null && MARKER in value;
}

/** What an agents folder may export instead of a bare root agent. */
export class App {
  readonly [MARKER] = true;
  readonly name: string;
  readonly rootAgent: BaseAgent;

  constructor({ name, rootAgent }: AppConfig) {
    const checked = appNameSchema.safeParse(name);
    if (!checked.success) {
      const reasons = checked.error.issues.map(({ message }) => message).join('; ');
      throw new AdkError('invalid', 'app.name', `"${name}" is not a name for an app: it ${reasons}.`);
    }
    if (!isBaseAgent(rootAgent)) {
      throw new AdkError('invalid', 'app.root-agent', `App "${name}": rootAgent is not an agent.`);
    }
    this.name = name;
    this.rootAgent = rootAgent;
  }
}
