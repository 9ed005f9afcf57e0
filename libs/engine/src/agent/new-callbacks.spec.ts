import { aPlugin, calls, FakeLlm, type RecordingJournal, runTurn, text } from '@skein/testing';
import { AgentTool } from '../tool/agent-tool';
import { type AgentCallback } from './callbacks';
import { LlmAgent } from './llm-agent';
import { type LlmAgentConfig } from './llm-agent-config';

function aTree(config: Partial<LlmAgentConfig> = {}): LlmAgent {
  const helper = new LlmAgent({ name: 'helper', model: new FakeLlm([[text('helped')]]) });
  return new LlmAgent({
    name: 'root',
    model: new FakeLlm([[calls({ id: 'c', name: 'helper', args: { request: 'x' } })], [text('done')]]),
    tools: [new AgentTool({ agent: helper, includePlugins: false })],
    ...config,
  });
}

/** As a crash leaves it after the answer of the model, and so many records of the run in its tool. */
async function aCrashedRun(records = 0): Promise<RecordingJournal> {
  const { journal } = await runTurn(aTree());
  return journal.cutAfter(2, records);
}

describe('a callback that was deployed under a run', () => {
  it('before an agent that began without it is not asked', async () => {
    const asked: string[] = [];
    const journal = await aCrashedRun();

    const { error } = await runTurn(aTree({ beforeAgentCallback: () => void asked.push('root') }), {
      journal,
    });

    expect([error, asked]).toEqual([undefined, []]);
  });

  it('before an agent that has not begun is asked', async () => {
    const asked: string[] = [];
    const beforeAgentCallback: AgentCallback = () => void asked.push('root');
    const { journal } = await runTurn(aTree());

    const { error } = await runTurn(aTree({ beforeAgentCallback }), { journal: journal.cutAfter(1) });

    expect([error, asked]).toEqual([undefined, ['root']]);
  });

  it('before a call whose agent is at work is not asked', async () => {
    const asked: string[] = [];
    const journal = await aCrashedRun(1);

    const { error } = await runTurn(aTree({ beforeToolCallback: () => void asked.push('tool') }), {
      journal,
    });

    expect(journal.stepKeys).toContain('0/root.0/tools.0/0/user.0');
    expect([error, asked]).toEqual([undefined, []]);
  });

  it('of a plugin before the run is not asked in the middle of it', async () => {
    const asked: string[] = [];
    const plugin = aPlugin({ beforeRunCallback: async () => void asked.push('run') });

    const app = { rootAgent: aTree(), plugins: [plugin] };
    const { error } = await runTurn(app, { journal: await aCrashedRun() });

    expect([error, asked]).toEqual([undefined, []]);
  });

  it('of a plugin that had answered the run and is gone is noticed', async () => {
    const answer = { role: 'model', parts: [{ text: 'closed today' }] };
    const plugin = aPlugin({ beforeRunCallback: async () => answer });
    const { journal } = await runTurn({ rootAgent: aTree(), plugins: [plugin] });

    const { error } = await runTurn(aTree(), { journal });

    expect(error).toMatchObject({ code: 'REPLAY_DIVERGED', details: { stored: '0/run.0' } });
  });
});
