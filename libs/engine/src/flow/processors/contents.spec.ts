import { type Content } from '@skein/contracts';
import { aSession, calls, FakeLlm, inTime, runTurn, says, text, transcript } from '@skein/testing';
import { LlmAgent } from '../../agent/llm-agent';
import { type LlmAgentConfig } from '../../agent/llm-agent-config';
import { type LlmRequest } from '../../model/llm-request';
import { type LlmResponse } from '../../model/llm-response';
import { readContents } from '../../model/shared-contents';
import { FunctionTool } from '../../tool/function-tool';

function anAgent({
  model = new FakeLlm([[text('ok')]]),
  ...config
}: Partial<LlmAgentConfig> & { model?: FakeLlm } = {}) {
  return { model, agent: new LlmAgent({ name: 'root', model, ...config }) };
}

/** Notes the contents as an adapter reads them. */
class ReadingLlm extends FakeLlm {
  readonly read: (readonly Content[])[] = [];

  override generateContentAsync(request: LlmRequest): AsyncGenerator<LlmResponse, void> {
    this.read.push(readContents(request));
    return super.generateContentAsync(request);
  }
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

  it('are changed by a callback, or by the model, for their own request alone (B9)', async () => {
    const { agent, model } = anAgent({
      model: new FakeLlm([[calls({ id: 'a', name: 'f', args: { n: 1 } })], [text('ok')]]),
      tools: [new FunctionTool({ name: 'f', description: '', execute: () => ({ m: 1 }) })],
      beforeModelCallback: ({ request: { contents } }) => {
        const [first] = contents;
        first?.parts?.push({ text: `and ${contents.length}` });
        const { functionCall, functionResponse } = contents.at(-1)?.parts?.[0] ?? {};
        Object.assign(functionCall?.args ?? functionResponse?.response ?? {}, { changed: true });
        return undefined;
      },
    });

    const { session } = await runTurn(agent);

    expect(model.requests.map(({ contents }) => transcript(contents)[0])).toEqual([
      'user: hi | and 1',
      'user: hi | and 3',
    ]);
    expect(model.requests[1]?.contents[2]).toMatchObject({
      parts: [{ functionResponse: { response: { changed: true } } }],
    });
    expect(JSON.stringify(session.events)).not.toMatch(/and \d|changed/);
  });

  it("are the session's own for a model that only reads them", async () => {
    const model = new ReadingLlm([[text('ok')]]);
    const { agent } = anAgent({ model });
    const session = aHistory();

    await runTurn(agent, { session });

    const stored = session.events[0]?.content?.parts?.[0];
    expect(stored).toEqual({ text: 'before' });
    expect(model.read[0]?.[0]?.parts?.[0]).toBe(stored);
  });
});
