import { type Event } from '@skein/contracts';
import { BaseAgent, type BaseAgentConfig } from './base-agent';
import { type InvocationContext } from './invocation-context';

export interface CustomAgentConfig extends BaseAgentConfig {
  /** What the agent does; it may run its sub-agents with `agent.runAsync(context)`. */
  readonly run: (context: InvocationContext) => AsyncGenerator<Event, void>;
}

/** An agent made of a function, for those who would not write a class. */
export class CustomAgent extends BaseAgent<CustomAgentConfig> {
  readonly #run: CustomAgentConfig['run'];

  constructor(config: CustomAgentConfig) {
    super(config);
    this.#run = config.run;
  }

  protected override runAsyncImpl(context: InvocationContext): AsyncGenerator<Event, void> {
    return this.#run(context);
  }
}
