import { answers, asks, FakeLlm, partial, says, text } from '@skein/testing';
import { type LlmResponse } from '../model/llm-response';
import { LlmEventSummarizer } from './llm-event-summarizer';

const { signal } = new AbortController();
const events = [says('user', 'hi'), asks('me', ['a']), answers('me', { a: 1 }), says('me', 'ho')];

function aModel(...responses: LlmResponse[]): FakeLlm {
  return new FakeLlm([responses]);
}

describe('LlmEventSummarizer', () => {
  it('shows the model who said and did what, where the template says', async () => {
    const llm = aModel(text('They met.'));
    const summarizer = new LlmEventSummarizer({ llm, promptTemplate: 'Sum up: {conversation_history} End.' });

    await summarizer.maybeSummarizeEvents({ events, ordinal: 0, signal });

    expect(llm.requests[0]?.contents).toEqual([
      {
        role: 'user',
        parts: [
          {
            text:
              'Sum up: [user] said: hi\n\n[me] called tool `f_a` with parameters: {}\n\n' +
              '[me] `f_a` tool returned result: {"result":1}\n\n[me] said: ho End.',
          },
        ],
      },
    ]);
  });

  it('takes the conversation as it is, replacement patterns too', async () => {
    const llm = aModel(text('ok'));
    const summarizer = new LlmEventSummarizer({ llm, promptTemplate: '<{conversation_history}>' });

    await summarizer.maybeSummarizeEvents({ events: [says('user', "$& $' $1")], ordinal: 0, signal });

    expect(llm.requests[0]?.contents[0]?.parts?.[0]?.text).toBe("<[user] said: $& $' $1>");
  });

  it("answers with the model's words, without its thoughts, and what they cost", async () => {
    const usageMetadata = { promptTokenCount: 7 };
    const thought = { text: 'hm', thought: true };
    const content = { role: 'model', parts: [thought, { text: 'They met.' }] };
    const summarizer = new LlmEventSummarizer({
      llm: aModel(partial(text('Th')), { content, usageMetadata }),
    });

    const summary = await summarizer.maybeSummarizeEvents({ events, ordinal: 0, signal });

    expect(summary).toEqual({
      compactedContent: { role: 'model', parts: [{ text: 'They met.' }] },
      usageMetadata,
    });
  });

  it.each<[string, LlmResponse]>([
    ['nothing', {}],
    ['white space', text(' ')],
  ])('leaves the events as they are when the model says %s', async (_what, response) => {
    const summarizer = new LlmEventSummarizer({ llm: aModel(response) });

    await expect(summarizer.maybeSummarizeEvents({ events, ordinal: 0, signal })).resolves.toBeUndefined();
  });

  it('asks nobody about events that have nothing to tell', async () => {
    const llm = aModel(text('?'));
    const image = says('user', [{ inlineData: { data: 'AA==', mimeType: 'image/png' } }]);

    const summary = await new LlmEventSummarizer({ llm }).maybeSummarizeEvents({
      events: [image],
      ordinal: 0,
      signal,
    });

    expect(summary).toBeUndefined();
    expect(llm.requests).toEqual([]);
  });

  it('throws what the model refuses with', async () => {
    const summarizer = new LlmEventSummarizer({
      llm: aModel({ errorCode: 'QUOTA', errorMessage: 'Later.' }),
    });

    await expect(summarizer.maybeSummarizeEvents({ events, ordinal: 0, signal })).rejects.toMatchObject({
      code: 'compaction.model-error',
      message: 'Later.',
      details: { errorCode: 'QUOTA' },
    });
  });

  it('needs a template with a place for the events', () => {
    expect(() => new LlmEventSummarizer({ llm: aModel(), promptTemplate: 'Sum up!' })).toThrow(
      expect.objectContaining({ code: 'compaction.prompt-template' }),
    );
  });
});
