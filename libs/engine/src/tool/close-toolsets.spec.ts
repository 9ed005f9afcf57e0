import { FakeLlm } from '@skein/testing';
import { LlmAgent } from '../agent/llm-agent';
import { SequentialAgent } from '../agent/sequential-agent';
import { AgentTool } from './agent-tool';
import { BaseToolset } from './base-toolset';
import { closeIdleToolsets, closeToolsets } from './close-toolsets';

class AToolset extends BaseToolset {
  closed = 0;

  constructor(private readonly failure?: string) {
    super();
  }

  override async getTools(): Promise<[]> {
    return [];
  }

  override async close(): Promise<void> {
    this.closed += 1;
    if (this.failure) throw new Error(this.failure);
  }
}

class Reopening extends AToolset {
  closedIdle = 0;

  override async closeIdle(): Promise<void> {
    this.closedIdle += 1;
  }
}

describe('the toolsets of an agent', () => {
  it('are closed once, wherever below it they stand, and one that cannot be keeps no other open', async () => {
    const [shared, below, inTool, broken] = [
      new AToolset(),
      new AToolset(),
      new AToolset(),
      new AToolset('No.'),
    ];
    const agent = (name: string, tools: LlmAgent['tools'][number][], subAgents: LlmAgent[] = []): LlmAgent =>
      new LlmAgent({ name, model: new FakeLlm([]), tools, subAgents });
    const expert = agent('expert', [inTool, shared]);
    const child = agent('child', [below, broken]);
    const lead = agent('lead', [shared, new AgentTool({ agent: expert })], [child]);

    const failures = await closeToolsets(new SequentialAgent({ name: 'root', subAgents: [lead] }));

    expect([shared, below, inTool, broken].map(({ closed }) => closed)).toEqual([1, 1, 1, 1]);
    expect(failures).toEqual(['No.']);
  });

  it('stay as they are while nobody uses them, but for what they open again by themselves', async () => {
    const [ends, again] = [new AToolset(), new Reopening()];
    const root = new LlmAgent({ name: 'root', model: new FakeLlm([]), tools: [ends, again] });

    expect(await closeIdleToolsets(root)).toEqual([]);

    expect([ends.closed, again.closed, again.closedIdle]).toEqual([0, 0, 1]);
  });
});
