import {
  BaseAgent,
  createEvent,
  createEventActions,
  type Event,
  type InvocationContext,
  LlmAgent,
} from '@google/adk';

const speaker = new LlmAgent({ name: 'speaker', model: 'scripted-speaker', instruction: 'Speak.' });

/** Asks its agent only when the state says so. */
class Switch extends BaseAgent {
  protected override async *runAsyncImpl(context: InvocationContext): AsyncGenerator<Event, void> {
    const isOn = context.session.state.on === true;
    yield createEvent({
      invocationId: context.invocationId,
      author: this.name,
      content: { role: 'model', parts: [{ text: isOn ? 'On.' : 'Off.' }] },
      actions: createEventActions({ stateDelta: { on: !isOn } }),
    });
    if (isOn) for (const agent of this.subAgents) yield* agent.runAsync(context);
  }

  protected override runLiveImpl(): AsyncGenerator<Event, void> {
    throw new Error('Not live.');
  }
}

export const rootAgent = new Switch({ name: 'light', subAgents: [speaker] });
