import { anEvent, FakeLlm } from '@skein/testing';
import { type BaseAgent } from '../agent/base-agent';
import { LlmAgent } from '../agent/llm-agent';
import { type LlmAgentConfig } from '../agent/llm-agent-config';
import { SequentialAgent } from '../agent/sequential-agent';
import { findAgentToRun } from './find-agent-to-run';

function anAgent(name: string, config: Partial<LlmAgentConfig> = {}): LlmAgent {
  return new LlmAgent({ name, model: new FakeLlm([]), ...config });
}

function answering(root: BaseAgent, authors: readonly string[]): string {
  const events = authors.map((author) => anEvent({ author }));
  return findAgentToRun({ root, events, answered: undefined, isResumable: false }).agent.name;
}

describe('the agent that answers the next turn (B49)', () => {
  const root = anAgent('root', {
    subAgents: [
      anAgent('child', { subAgents: [anAgent('grandchild')] }),
      anAgent('bound', { disallowTransferToParent: true, subAgents: [anAgent('below_bound')] }),
      new SequentialAgent({ name: 'sequence', subAgents: [anAgent('step')] }),
    ],
  });

  it.each([
    ['the root in a new session', [], 'root'],
    ['the last agent that spoke', ['user', 'root', 'child', 'user'], 'child'],
    ['an agent further down', ['user', 'grandchild', 'user'], 'grandchild'],
    ['not one that cannot hand back, but who spoke before it', ['child', 'bound', 'user'], 'child'],
    ['not one below such an agent', ['below_bound', 'user'], 'root'],
    ['not a step of a workflow', ['step', 'user'], 'root'],
    ['not an agent that is no longer there', ['child', 'renamed', 'user'], 'child'],
  ])('is %s', (_who, authors, name) => {
    expect(answering(root, authors)).toBe(name);
  });

  it('is not one that only noted where it stands', () => {
    const events = [
      anEvent({ author: 'child' }),
      anEvent({ author: 'grandchild', actions: { endOfAgent: true } }),
    ];

    expect(findAgentToRun({ root, events, answered: undefined, isResumable: true }).agent.name).toBe('child');
  });

  it('is not one whose words were taken back (B1)', () => {
    const events = [
      anEvent({ author: 'child', invocationId: 'kept' }),
      anEvent({ author: 'grandchild', invocationId: 'gone' }),
      anEvent({ author: 'user', actions: { rewindBeforeInvocationId: 'gone' } }),
    ];

    expect(findAgentToRun({ root, events, answered: undefined, isResumable: false }).agent.name).toBe(
      'child',
    );
  });

  it('is whoever called, when the user answers a call', () => {
    const answered = anEvent({ author: 'step' });

    expect(findAgentToRun({ root, events: [], answered, isResumable: false }).agent.name).toBe('step');
  });

  it('is the workflow around the caller in a resumable app, so that its later steps follow', () => {
    const answered = anEvent({ author: 'step' });

    expect(findAgentToRun({ root, events: [], answered, isResumable: true }).agent.name).toBe('sequence');
  });
});
