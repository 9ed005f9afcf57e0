import { type Content, type Part } from '@skein/contracts';
import { ToolNames } from '../request/tool-names';
import { cameFrom } from '../request/part-origin';
import { toOpenAIMessages } from './to-openai-messages';

const user = (...parts: Part[]): Content => ({ role: 'user', parts });
const model = (...parts: Part[]): Content => ({ role: 'model', parts });
const call = (id: string, name = 'f'): Part => ({ functionCall: { id, name, args: { q: id } } });
const response = (id: string, name = 'f', result: unknown = id): Part => ({
  functionResponse: { id, name, response: { result } },
});

function messagesOf(contents: readonly Content[], isOpenAI = false) {
  return toOpenAIMessages(contents, { names: new ToolNames([], 64), isOpenAI });
}

const rolesOf = (contents: readonly Content[]) => messagesOf(contents).map(({ role }) => role);
const sentCall = (id: string, name = 'f', q = id) => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify({ q }) },
});

describe('toOpenAIMessages', () => {
  it('keeps text beside calls, each call followed by its answer, in the order of the calls', () => {
    const contents = [
      user({ text: 'hi' }),
      model({ text: 'Wait.' }, call('a'), call('b')),
      user(response('b'), response('a')),
    ];

    expect(messagesOf(contents)).toEqual([
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'Wait.', tool_calls: [sentCall('a'), sentCall('b')] },
      { role: 'tool', tool_call_id: 'a', content: '{"result":"a"}' },
      { role: 'tool', tool_call_id: 'b', content: '{"result":"b"}' },
    ]);
  });

  it('keeps the ids the engine gave (B9)', () => {
    const id = 'adk-01234567-89ab-cdef-0123-456789abcdef';
    const messages = messagesOf([user({ text: 'hi' }), model(call(id)), user(response(id))], true);

    expect(messages.slice(1)).toMatchObject([{ tool_calls: [{ id }] }, { tool_call_id: id }]);
  });

  it("shortens ids that OpenAI refuses, and sends a server of one's own what it gave", () => {
    const id = `call_1__thought__${'x'.repeat(400)}`;
    const history = [user({ text: 'hi' }), model(call(id)), user(response(id))];
    const idIn = (isOpenAI: boolean) => {
      const [, asked, answered] = messagesOf(history, isOpenAI);
      expect(answered).toMatchObject({
        tool_call_id: (asked as { tool_calls: { id: string }[] }).tool_calls[0]?.id,
      });
      return (answered as { tool_call_id: string }).tool_call_id;
    };

    expect(idIn(true)).toMatch(/^call-[0-9a-f]{32}$/);
    expect(idIn(false)).toBe(id);
  });

  it('gives calls of one id ids of their own, each with its answer', () => {
    const contents = [
      user({ text: 'hi' }),
      model(call('a'), call('a', 'g')),
      user(response('a', 'f', 1), response('a', 'g', 2)),
      model(call('a')),
      user(response('a', 'f', 3)),
    ];

    expect(messagesOf(contents).filter(({ role }) => role === 'tool')).toEqual([
      { role: 'tool', tool_call_id: 'a', content: '{"result":1}' },
      { role: 'tool', tool_call_id: 'a-2', content: '{"result":2}' },
      { role: 'tool', tool_call_id: 'a-3', content: '{"result":3}' },
    ]);
  });

  it('tells calls of one id by their names where the answers come in another order', () => {
    const contents = [
      user({ text: 'hi' }),
      model(call('a'), call('a', 'g')),
      user(response('a', 'g', 2), response('a', 'f', 1)),
    ];

    expect(messagesOf(contents).slice(2)).toMatchObject([
      { tool_call_id: 'a', content: '{"result":1}' },
      { tool_call_id: 'a-2', content: '{"result":2}' },
    ]);
  });

  it('answers a call that nobody answered yet', () => {
    const contents = [user({ text: 'hi' }), model(call('a')), user({ text: 'And?' })];

    expect(messagesOf(contents).slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: '{"status":"There is no result yet."}' },
      { role: 'user', content: 'And?' },
    ]);
  });

  it('puts what the user says between a call and its answer behind it', () => {
    const contents = [
      user({ text: 'hi' }),
      model(call('a')),
      user({ text: 'Still there?' }),
      user(response('a'), { text: 'Here.' }),
      model({ text: 'Done.' }),
      user({ text: 'Thanks.' }),
    ];

    expect(rolesOf(contents)).toEqual(['user', 'assistant', 'tool', 'user', 'user', 'assistant', 'user']);
  });

  it('tells a response without a call, and a call in the mouth of the user, as text', () => {
    expect(messagesOf([user(response('a')), user(call('b'))])).toEqual([
      { role: 'user', content: 'Tool `f` returned: {"result":"a"}' },
      { role: 'user', content: 'Tool `f` was called with: {"q":"b"}' },
    ]);
  });

  it('pairs calls without ids by name', () => {
    const contents = [
      user({ text: 'hi' }),
      model({ functionCall: { name: 'f' } }, { functionCall: { name: 'g' } }),
      user({ functionResponse: { name: 'g', response: { n: 2 } } }),
      user({ functionResponse: { name: 'f' } }),
    ];

    expect(messagesOf(contents).slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'call', content: '{}' },
      { role: 'tool', tool_call_id: 'call-2', content: '{"n":2}' },
    ]);
  });

  it('says something for a user who said nothing, and after a model that spoke last (B14)', () => {
    expect(rolesOf([])).toEqual(['user']);
    expect(rolesOf([user({ text: '' }), model({ text: 'Hm.', thought: true })])).toEqual(['user']);
    expect(rolesOf([user({ text: 'hi' }), model({ text: 'Well.' })])).toEqual(['user', 'assistant', 'user']);
  });

  it('gives thoughts back while their calls are answered, to servers that take them', () => {
    const thought = {
      text: 'Hm.',
      thought: true,
      thoughtSignature: 'c2ln',
      ...cameFrom({ provider: 'openai' }),
    };
    const round = [model(thought, call('a')), user(response('a'))];
    const history = [
      user({ text: 'hi' }),
      ...round,
      model({ text: 'Well.' }),
      user({ text: 'And?' }),
      ...round,
    ];
    const thoughtsIn = (isOpenAI: boolean) =>
      messagesOf(history, isOpenAI).map((message) => 'reasoning_content' in message);

    expect(thoughtsIn(false)).toEqual([false, false, false, false, false, true, false]);
    expect(thoughtsIn(true)).not.toContain(true);
    expect(messagesOf(history)[5]).toMatchObject({
      reasoning_content: 'Hm.',
      thinking_blocks: [{ type: 'thinking', thinking: 'Hm.', signature: 'c2ln' }],
    });
  });

  it('gives thoughts back in the field they came in, and the signature of a call with it', () => {
    const thought = {
      text: 'Hm.',
      thought: true,
      partMetadata: { skein: { provider: 'openai', reasoningField: 'reasoning' } },
    };
    const signed = { ...call('a'), thoughtSignature: 'c2ln', ...cameFrom({ provider: 'openai' }) };
    const [, asked] = messagesOf([user({ text: 'hi' }), model(thought, signed), user(response('a'))]);

    expect(asked).toEqual({
      role: 'assistant',
      reasoning: 'Hm.',
      tool_calls: [{ ...sentCall('a'), extra_content: { google: { thought_signature: 'c2ln' } } }],
    });
  });

  it('says in older turns what it cannot be shown, and refuses it in the newest', () => {
    const pdf = { inlineData: { mimeType: 'application/pdf', data: 'QUJD' } };
    const heic = { inlineData: { mimeType: 'image/heic', data: 'QUJD' } };
    const video = { fileData: { fileUri: 'gs://a/b', mimeType: 'video/mp4' } };
    const of = (isOpenAI: boolean, ...parts: Part[]) =>
      toOpenAIMessages([user({ text: 'hi' }, pdf, heic, video), model({ text: 'Well.' }), user(...parts)], {
        names: new ToolNames([], 64),
        isOpenAI,
        lacks: isOpenAI ? [] : ['files'],
      })[0]?.content;

    expect(of(false, { text: 'And?' })).toMatchObject([
      { text: 'hi' },
      { text: '[Not shown to this model: application/pdf]' },
      { type: 'image_url' },
      { text: '[Not shown to this model: video/mp4]' },
    ]);
    expect(of(true, { text: 'And?' })).toMatchObject([
      { text: 'hi' },
      { type: 'file' },
      { text: '[Not shown to this model: image/heic]' },
      { text: '[Not shown to this model: video/mp4]' },
    ]);
    for (const ask of [() => of(false, pdf), () => of(true, heic), () => of(true, video)]) {
      expect(ask).toThrow(expect.objectContaining({ code: 'model.unsupported-part' }));
    }
  });

  it('gives thoughts back also where an instruction follows the answers of their calls', () => {
    const thought = { text: 'Hm.', thought: true };
    const contents = [
      user({ text: 'hi' }),
      model(thought, call('a')),
      user(response('a')),
      user({ text: 'Be kind.' }),
    ];

    expect(messagesOf(contents)[1]).toMatchObject({ reasoning_content: 'Hm.' });
  });

  it('shows what a model or a tool made, and code as text', () => {
    const picture = { inlineData: { mimeType: 'image/png', data: 'QUJD' } };
    const shown = { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD' } };
    const withPicture = { functionResponse: { id: 'a', name: 'f', response: {}, parts: [picture] } };
    const contents = [
      model({ executableCode: { code: 'print(1)' } }, picture),
      user({ codeExecutionResult: { output: '1' } }),
      model(call('a')),
      user(withPicture),
    ];

    expect(messagesOf(contents)).toEqual([
      { role: 'assistant', content: '```python\nprint(1)\n```' },
      { role: 'user', content: [shown] },
      { role: 'user', content: '```tool_output\n1\n```' },
      { role: 'assistant', tool_calls: [sentCall('a')] },
      { role: 'tool', tool_call_id: 'a', content: '{}' },
      { role: 'user', content: [shown] },
    ]);
  });

  it('sends names that the API takes, of a tool that a model made up too', () => {
    const contents = [user({ text: 'hi' }), model(call('a', 'files.read now')), user(response('a'))];

    expect(messagesOf(contents)[1]).toMatchObject({ tool_calls: [sentCall('a', 'files_read_now')] });
  });
});
