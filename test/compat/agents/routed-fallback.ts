import { BaseAgent, type Event, LlmAgent, RoutedAgent } from '@google/adk';

class Broken extends BaseAgent {
  // eslint-disable-next-line require-yield -- it fails before it says anything.
  protected override async *runAsyncImpl(): AsyncGenerator<Event, void> {
    throw new Error(`${this.name} is broken.`);
  }

  protected override runLiveImpl(): AsyncGenerator<Event, void> {
    throw new Error('Not live.');
  }
}

const spare = new LlmAgent({ name: 'spare', model: 'scripted-spare', instruction: 'Stand in.' });

export const rootAgent = new RoutedAgent({
  name: 'desk',
  agents: [new Broken({ name: 'first' }), new Broken({ name: 'second' }), spare],
  router: (agents, _context, failure) => Object.keys(agents).find((key) => !failure?.failedKeys.has(key)),
});
