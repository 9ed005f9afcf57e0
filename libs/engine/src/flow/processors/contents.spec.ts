import { aSession, FakeLlm, inTime, runTurn, says, text, transcript } from '@skein/testing';
import { LlmAgent } from '../../agent/llm-agent';
import { type LlmAgentConfig } from '../../agent/llm-agent-config';

function anAgent(config: Partial<LlmAgentConfig> = {}) {
  const model = new FakeLlm([[text('ok')]]);
  return { model, agent: new LlmAgent({ name: 'root', model, ...config }) };
}

function aHistory() {
  const thought = { text: 'hm', thought: true };
  return aSession({ events: inTime(says('user', 'before'), says('other', [thought, { text: 'so' }])) });
}

function toldTo({ requests }: FakeLlm): string[] {
  return transcript(requests[0]?.contents ?? []);
}

describe('the contents of a request', () => {
  it('are the session as its agent sees it', async () => {
    const { agent, model } = anAgent();

    await runTurn(agent, { session: aHistory() });

    expect(toldTo(model)).toEqual(['user: before', 'user: For context: | [other] said: so', 'user: hi']);
  });

  it('are the current turn for an agent without history (B10)', async () => {
    const { agent, model } = anAgent({ includeContents: 'none' });

    await runTurn(agent, { session: aHistory() });

    expect(toldTo(model)).toEqual(['user: hi']);
  });

  it("hold other agents' thoughts when the run wants them (B4)", async () => {
    const { agent, model } = anAgent();

    await runTurn(agent, { session: aHistory(), runConfig: { includeThoughtsFromOtherAgents: true } });

    expect(toldTo(model)[1]).toBe('user: For context: | [other] thought: hm | [other] said: so');
  });

  it("hold what only this run knows before the user's message, and nobody stores it (B12)", async () => {
    const { agent, model } = anAgent();
    const modelInputContext = [{ role: 'user', parts: [{ text: 'It rains.' }] }];

    const { session } = await runTurn(agent, { runConfig: { modelInputContext } });

    expect(toldTo(model)).toEqual(['user: It rains.', 'user: hi']);
    expect(JSON.stringify(session.events)).not.toContain('It rains.');
  });

  it("hold the instruction beside a static one before the user's last words (B12)", async () => {
    const { agent, model } = anAgent({ staticInstruction: 'Be kind.', instruction: 'Now be brief.' });
    const session = aSession({ events: inTime(says('user', 'a'), says('root', 'b')) });

    await runTurn(agent, { session });

    expect(toldTo(model)).toEqual(['user: a', 'model: b', 'user: Now be brief.', 'user: hi']);
  });
});
