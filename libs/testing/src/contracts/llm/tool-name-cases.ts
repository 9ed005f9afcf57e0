/// <reference types="jest" />
import { model, type Trial, user } from './trial';

/** A tool is called what its author calls it, whichever letters a provider takes. */
export function toolNameCases(trial: Trial): void {
  it('is told so that the provider takes it, and known again in the answer', async () => {
    const name = 'files.read';
    const config = { tools: [{ functionDeclarations: [{ name, description: 'Reads.' }] }] };
    const { tools } = await trial.heard({ config });
    const [sent = ''] = tools;
    const call = { id: 'c1', name: sent, args: { q: 'a' } };
    const { content } = await trial.whole({ parts: [{ call }] }, { config });

    expect(content?.parts).toEqual([{ functionCall: { ...call, name } }]);
    const response = { functionResponse: { id: 'c1', name, response: { result: 'b' } } };
    const contents = [user('hi'), model(...(content?.parts ?? [])), user(response)];
    const { turns } = await trial.heard({ contents, config });
    expect(turns[1]?.parts).toEqual([{ call }]);
  });

  it.each([
    ['other letters', '天気.今日'],
    ['a digit at its beginning', '2nd:tool/v1'],
    ['no letter at all', '!'],
    ['more letters than a provider takes', `${'long_'.repeat(40)}name`],
  ])('is taken with %s, in declarations, choice, calls and responses', async (_what, name) => {
    const functionCallingConfig = { mode: 'ANY', allowedFunctionNames: [name] };
    // Two that look alike to a provider stay two.
    const functionDeclarations = [name, `${name}!`].map((one) => ({ name: one, description: 'A tool.' }));
    const config = { tools: [{ functionDeclarations }], toolConfig: { functionCallingConfig } };
    const functionCall = { id: 'c1', name, args: {} };
    const functionResponse = { id: 'c1', name, response: { result: 'b' } };
    const contents = [user('hi'), model({ functionCall }), user({ functionResponse })];
    const { tools, choice, turns } = await trial.heard({ contents, config });

    const [sent = ''] = tools;
    expect(new Set(tools).size).toBe(tools.length);
    expect(choice?.names).toEqual([sent]);
    expect(turns[1]?.parts).toMatchObject([{ call: { name: sent } }]);
    const { content } = await trial.whole({ parts: [{ call: { name: sent } }] }, { config });
    expect(content?.parts).toMatchObject([{ functionCall: { name } }]);
  });

  it('may be chosen whatever its letters', async () => {
    const functionCallingConfig = { mode: 'ANY', allowedFunctionNames: ['files.read'] };
    const tools = [{ functionDeclarations: [{ name: 'files.read', description: 'Reads.' }] }];
    const heard = await trial.heard({ config: { tools, toolConfig: { functionCallingConfig } } });

    expect(heard.choice).toEqual({ mode: 'any', names: heard.tools });
  });

  it.each(['default_api.f', ''])('is taken in a history where a model made it up: "%s"', async (name) => {
    const functionCall = { id: 'c1', name, args: {} };
    const functionResponse = { id: 'c1', name, response: { error: 'No such tool.' } };
    const contents = [user('hi'), model({ functionCall }), user({ functionResponse })];

    expect((await trial.heard({ contents })).turns).toHaveLength(3);
  });
}
