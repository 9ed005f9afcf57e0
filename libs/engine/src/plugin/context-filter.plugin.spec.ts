import { type Content } from '@skein/contracts';
import { aRequest, aSession, FakeLlm, runTurn, text } from '@skein/testing';
import { LlmAgent } from '../agent/llm-agent';
import { CONTEXT_HEADER } from '../flow/contents/convert-foreign';
import { type ContextFilterOptions, ContextFilterPlugin } from './context-filter.plugin';

const user = (value: string): Content => ({ role: 'user', parts: [{ text: value }] });
const model = (value: string): Content => ({ role: 'model', parts: [{ text: value }] });
const call = (id: string): Content => ({ role: 'model', parts: [{ functionCall: { id, name: 'f' } }] });
const response = (id: string): Content => ({
  role: 'user',
  parts: [{ functionResponse: { id, name: 'f', response: {} } }],
});

async function filtered(contents: readonly Content[], options: ContextFilterOptions): Promise<Content[]> {
  const llmRequest = aRequest({ contents: [...contents] });
  const callbackContext = { invocationId: 'e-1' };
  // Of all it is given the plugin looks at these alone.
  await new ContextFilterPlugin(options).beforeModelCallback({ callbackContext, llmRequest } as never);
  return llmRequest.contents;
}

describe('ContextFilterPlugin', () => {
  const [u1, m1, u2a, u2b, c, r, m2, u3] = [
    user('1'),
    model('one'),
    user('2'),
    user('2, or rather'),
    call('c'),
    response('c'),
    model('two'),
    user('3'),
  ];
  const all = [u1, m1, u2a, u2b, c, r, m2, u3] as Content[];

  it.each([
    [1, [u3]],
    [2, all.slice(2)],
    [3, all],
    [9, all],
    [0, all],
  ])(
    'keeps the last %d invocations: what the user said, in a row or not, and all that followed',
    async (n, kept) => {
      expect(await filtered(all, { numInvocationsToKeep: n })).toEqual(kept);
    },
  );

  it('never separates a call from a response that came an invocation later', async () => {
    const contents = [user('1'), model('one'), user('2'), call('late'), user('3'), response('late')];

    expect(await filtered(contents, { numInvocationsToKeep: 1 })).toEqual(contents.slice(2));
  });

  it('takes neither a response nor the words of another agent for a message of the user', async () => {
    const told = { role: 'user', parts: [{ text: CONTEXT_HEADER }, { text: '[a] said: T' }] };
    const contents = [
      user('1'),
      model('one'),
      user('2'),
      told,
      call('c'),
      response('c'),
      told,
      model('two'),
      told,
    ];

    expect(await filtered(contents, { numInvocationsToKeep: 1 })).toEqual(contents.slice(2));
  });

  it('keeps the question when an instruction closes the request (B12)', async () => {
    const contents = [user('1'), model('one'), user('2'), call('c'), response('c'), user('Be kind.')];

    expect(await filtered(contents, { numInvocationsToKeep: 1 })).toEqual(contents.slice(2));
  });

  it('has its own filter decide last', async () => {
    const customFilter = jest.fn((contents: Content[]) => contents.slice(-1));

    expect(await filtered(all, { numInvocationsToKeep: 2, customFilter })).toEqual([u3]);
    expect(customFilter).toHaveBeenCalledWith(all.slice(2));
  });

  it('leaves the request as it is when the filter throws', async () => {
    const customFilter = (): never => {
      throw new Error('Broken.');
    };

    expect(await filtered(all, { numInvocationsToKeep: 1, customFilter })).toEqual(all);
  });

  it('shortens what the model is asked and leaves the session alone', async () => {
    const llm = new FakeLlm([[text('one')], [text('two')]]);
    const app = {
      rootAgent: new LlmAgent({ name: 'root', model: llm }),
      plugins: [new ContextFilterPlugin({ numInvocationsToKeep: 1 })],
    };
    const session = aSession();

    await runTurn(app, { said: 'first', session, invocationId: 'e-1' });
    await runTurn(app, { said: 'second', session, invocationId: 'e-2' });

    expect(llm.requests[1]?.contents).toEqual([user('second')]);
    expect(session.events).toHaveLength(4);
  });
});
