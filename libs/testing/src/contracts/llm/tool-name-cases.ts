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

  it('may be chosen whatever its letters', async () => {
    const functionCallingConfig = { mode: 'ANY', allowedFunctionNames: ['files.read'] };
    const tools = [{ functionDeclarations: [{ name: 'files.read', description: 'Reads.' }] }];
    const heard = await trial.heard({ config: { tools, toolConfig: { functionCallingConfig } } });

    expect(heard.choice).toEqual({ mode: 'any', names: heard.tools });
  });

  it('is taken in a history where a model made it up', async () => {
    const functionCall = { id: 'c1', name: 'default_api.f', args: {} };
    const functionResponse = { id: 'c1', name: 'default_api.f', response: { error: 'No such tool.' } };
    const contents = [user('hi'), model({ functionCall }), user({ functionResponse })];

    expect((await trial.heard({ contents })).turns).toHaveLength(3);
  });
}
