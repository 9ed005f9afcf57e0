/// <reference types="jest" />
import { type Content } from '@skein/contracts';
import { type HeardPart, type HeardTurn, type ProviderDialect } from '../../providers/provider-dialect';
import { model, saying, type Trial, user } from './trial';

/** What was said before goes back as the provider said it. */
export function historyCases(trial: Trial, dialect: ProviderDialect): void {
  it('pairs calls and their responses by the ids the model gave', async () => {
    const { turns } = await trial.heard({ contents: callsOf(['c1', 'f'], ['c2', 'g']) });

    expect(turns.map(({ role }) => role)).toEqual(['user', 'model', 'user']);
    expect(callsIn(turns)).toEqual([
      { id: 'c1', name: 'f', args: { n: 0 } },
      { id: 'c2', name: 'g', args: { n: 1 } },
    ]);
    expect(responsesIn(turns)).toMatchObject([
      { id: 'c1', response: { result: 0 } },
      { id: 'c2', response: { result: 1 } },
    ]);
  });

  it('keeps or strips the ids the engine gave, as the provider wants it, on the copy alone (B9)', async () => {
    const contents = callsOf(['adk-1', 'f'], ['adk-2', 'f']);
    const before = structuredClone(contents);
    const { turns } = await trial.heard({ contents });

    const ids = dialect.keepsOurIds ? ['adk-1', 'adk-2'] : [undefined, undefined];
    expect(callsIn(turns).map(({ id }) => id)).toEqual(ids);
    expect(responsesIn(turns).map(({ id }) => id)).toEqual(ids);
    expect(contents).toEqual(before);
  });

  it('in which ids repeat is taken, each response at its own call', async () => {
    const { turns } = await trial.heard({ contents: callsOf(['c1', 'f'], ['c1', 'g']) });

    const ids = callsIn(turns).map(({ id }) => id);
    expect(responsesIn(turns).map(({ id }) => id)).toEqual(ids);
    expect(responsesIn(turns).map(({ response }) => response)).toEqual([{ result: 0 }, { result: 1 }]);
  });

  it('in which ids repeat from turn to turn is taken', async () => {
    const again = callsOf(['c1', 'g']).slice(1);
    const { turns } = await trial.heard({ contents: [...callsOf(['c1', 'f']), ...again] });

    expect(turns.map(({ role }) => role)).toEqual(['user', 'model', 'user', 'model', 'user']);
    expect(responsesIn(turns).map(({ id }) => id)).toEqual(callsIn(turns).map(({ id }) => id));
  });

  it('goes on with an answer that was just given', async () => {
    const said = await trial.whole({
      parts: [{ text: 'Wait.' }, { call: { id: 'c1', name: 'f', args: { q: 'a' } } }],
    });
    const response = { functionResponse: { id: 'c1', name: 'f', response: { result: 'b' } } };
    const { turns } = await trial.heard({ contents: [user('hi'), contentOf(said), user(response)] });

    expect(turns.slice(1)).toMatchObject([
      { role: 'model', parts: [{ text: 'Wait.' }, { call: { id: 'c1', name: 'f', args: { q: 'a' } } }] },
      { role: 'user', parts: [{ response: { id: 'c1', response: { result: 'b' } } }] },
    ]);
  });

  if (dialect.thoughts === 'signed') signedThoughts(trial);
  if (dialect.thoughts === 'told') {
    it('tells thoughts apart from what was said', async () => {
      const { content } = await trial.whole({ parts: [{ thought: 'Let me see.' }, { text: 'Two.' }] });

      expect(content?.parts).toMatchObject([{ text: 'Let me see.', thought: true }, { text: 'Two.' }]);
    });
  }

  it('leaves nothing of one request to the next', async () => {
    await trial.heard({ config: { systemInstruction: 'Be kind.' } });
    const { turns, system } = await trial.heard({ contents: [user('again')] });

    expect({ turns, system }).toEqual({
      turns: [{ role: 'user', parts: [{ text: 'again' }] }],
      system: undefined,
    });
    await trial.whole(saying('Well.'));
  });
}

function signedThoughts(trial: Trial): void {
  it('sends thoughts back with their signatures', async () => {
    const thinkingConfig = { includeThoughts: true, thinkingBudget: 2048 };
    const config = { thinkingConfig, maxOutputTokens: 8192 };
    const thought = { thought: 'Let me see.', signature: 'c2lnbmVk' };
    const call = { id: 'c1', name: 'f', args: { q: 'a' } };
    const said = await trial.whole({ parts: [thought, { call }] }, { config });
    const response = { functionResponse: { id: 'c1', name: 'f', response: { result: 'b' } } };

    expect(said.content?.parts).toMatchObject([
      { text: 'Let me see.', thought: true, thoughtSignature: 'c2lnbmVk' },
      { functionCall: call },
    ]);
    const contents = [user('hi'), contentOf(said), user(response)];
    const { turns } = await trial.heard({ contents, config });
    expect(turns[1]?.parts).toEqual([thought, { call }]);
  });
}

function contentOf({ content }: { readonly content?: Content | undefined }): Content {
  if (!content) throw new Error('The answer has no content.');
  return content;
}

/** A user's text, the model's calls, and their responses: `n` and `result` count them. */
function callsOf(...calls: readonly (readonly [id: string, name: string])[]): Content[] {
  return [
    user('hi'),
    model(...calls.map(([id, name], n) => ({ functionCall: { id, name, args: { n } } }))),
    user(...calls.map(([id, name], n) => ({ functionResponse: { id, name, response: { result: n } } }))),
  ];
}

function partsOf(turns: readonly HeardTurn[]): readonly HeardPart[] {
  return turns.flatMap(({ parts }) => parts);
}

function callsIn(turns: readonly HeardTurn[]) {
  return partsOf(turns).flatMap((part) => ('call' in part ? [part.call] : []));
}

function responsesIn(turns: readonly HeardTurn[]) {
  return partsOf(turns).flatMap((part) => ('response' in part ? [part.response] : []));
}
