import { type Content, type Part } from '@skein/contracts';
import { ToolNames } from '../request/tool-names';
import { cameFrom } from '../request/part-origin';
import { toAnthropicMessages } from './to-anthropic-messages';

describe('toAnthropicMessages', () => {
  it('says something for a user who said nothing, or whose words are white space (B14)', () => {
    const opening = 'Handle the requests as specified in the System Instruction.';

    for (const contents of [[], [user({ text: ' ' })]]) {
      expect(messagesOf(contents)).toEqual([{ role: 'user', content: [{ type: 'text', text: opening }] }]);
    }
  });

  it('has the user speak first and last (B14)', () => {
    const messages = messagesOf([model({ text: 'Well.' })]);

    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(messages[2]?.content).toEqual([
      { type: 'text', text: expect.stringMatching(/^Continue processing previous requests/) },
    ]);
  });

  it('merges neighbours of one role on the copy alone (B11)', () => {
    const contents = [user({ text: 'a' }), user({ text: 'b' }), model({ text: 'c' }), user({ text: 'd' })];
    const before = structuredClone(contents);

    expect(messagesOf(contents)).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'c' }] },
      { role: 'user', content: [{ type: 'text', text: 'd' }] },
    ]);
    expect(contents).toEqual(before);
  });

  it('puts the results of calls before what else the user says, in the order of the calls', () => {
    const messages = messagesOf([
      user({ text: 'hi' }),
      model({ text: 'Wait.' }, call('a', 'f'), call('b', 'g')),
      user({ text: 'And?' }, response('b', 'g', { n: 2 })),
      user(response('a', 'f', { n: 1 })),
    ]);

    expect(messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Wait.' },
          { type: 'tool_use', id: 'a', name: 'f', input: {} },
          { type: 'tool_use', id: 'b', name: 'g', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: '{"n":1}' },
          { type: 'tool_result', tool_use_id: 'b', content: '{"n":2}' },
          { type: 'text', text: 'And?' },
        ],
      },
    ]);
  });

  it('sends the ids of the engine as they are, and others in letters the API takes (B9)', () => {
    const [, said, answered] = messagesOf([
      user({ text: 'hi' }),
      model(call('adk-1', 'f'), call('c:2', 'f')),
      user(response('adk-1', 'f', {}), response('c:2', 'f', {})),
    ]);

    expect(said?.content).toMatchObject([{ id: 'adk-1' }, { id: 'esc_c_3a2' }]);
    expect(answered?.content).toMatchObject([{ tool_use_id: 'adk-1' }, { tool_use_id: 'esc_c_3a2' }]);
  });

  it('keeps calls of one id apart, each with its own result', () => {
    const turn = [
      model(call('c', 'f'), call('c', 'g')),
      user(response('c', 'g', { n: 2 }), response('c', 'f', { n: 1 })),
    ];
    const messages = messagesOf([user({ text: 'hi' }), ...turn, ...turn]);

    expect(messages[3]?.content).toMatchObject([{ id: 'c-3' }, { id: 'c-4' }]);
    expect(messages[4]?.content).toMatchObject([
      { tool_use_id: 'c-3', content: '{"n":1}' },
      { tool_use_id: 'c-4', content: '{"n":2}' },
    ]);
  });

  it('pairs calls without ids by name and order', () => {
    const messages = messagesOf([
      user({ text: 'hi' }),
      model({ functionCall: { name: 'f' } }, { functionCall: { name: 'f' } }),
      user(
        { functionResponse: { name: 'f', response: { n: 1 } } },
        { functionResponse: { name: 'f', response: { n: 2 } } },
      ),
    ]);

    expect(messages[2]?.content).toMatchObject([
      { tool_use_id: 'call', content: '{"n":1}' },
      { tool_use_id: 'call-2', content: '{"n":2}' },
    ]);
  });

  it('pairs a response without an id with the call of its name', () => {
    const messages = messagesOf([
      user({ text: 'hi' }),
      model(call('a', 'f'), call('b', 'g')),
      user({ functionResponse: { name: 'g', response: { n: 2 } } }, response('a', 'f', { n: 1 })),
    ]);

    expect(messages[2]?.content).toMatchObject([
      { tool_use_id: 'a', content: '{"n":1}' },
      { tool_use_id: 'b', content: '{"n":2}' },
    ]);
  });

  it('has a result for a call that nobody answered, and words for an answer to no call', () => {
    const messages = messagesOf([
      user({ text: 'hi' }, response('gone', 'g', { n: 0 })),
      model(call('a', 'f')),
      user({ text: 'Never mind.' }),
    ]);

    expect(messages[0]?.content).toEqual([
      { type: 'text', text: 'hi' },
      { type: 'text', text: 'Result of g: {"n":0}' },
    ]);
    expect(messages[2]?.content).toEqual([
      { type: 'tool_result', tool_use_id: 'a', content: 'The tool gave no result.', is_error: true },
      { type: 'text', text: 'Never mind.' },
    ]);
  });

  it('marks a result that is an error, and shows the images in one', () => {
    const image = { inlineData: { mimeType: 'image/png', data: 'QUJD' } };
    const messages = messagesOf([
      user({ text: 'hi' }),
      model(call('a', 'f'), call('b', 'g')),
      user(response('a', 'f', { error: 'No.' }), {
        functionResponse: { id: 'b', name: 'g', response: { ok: true }, parts: [image] },
      }),
    ]);

    expect(messages[2]?.content).toEqual([
      { type: 'tool_result', tool_use_id: 'a', content: '{"error":"No."}', is_error: true },
      {
        type: 'tool_result',
        tool_use_id: 'b',
        content: [
          { type: 'text', text: '{"ok":true}' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QUJD' } },
        ],
      },
    ]);
  });

  it('sends signed thoughts back as they came, and no others', () => {
    const [, message] = messagesOf([
      user({ text: 'hi' }),
      model(
        {
          text: 'Let me see.',
          thought: true,
          thoughtSignature: 'c2ln',
          ...cameFrom({ provider: 'anthropic' }),
        },
        {
          thought: true,
          thoughtSignature: 'ZGF0YQ==',
          partMetadata: { skein: { provider: 'anthropic', isRedacted: true } },
        },
        { text: '', thought: true, thoughtSignature: 'b21pdA==', ...cameFrom({ provider: 'anthropic' }) },
        { text: 'Of Gemini.', thought: true, thoughtSignature: 'Z2Vt' },
        { text: 'Of another model.', thought: true },
        { text: 'Two.', thoughtSignature: 'b3RoZXI=' },
      ),
      user({ text: 'Why?', thought: true, thoughtSignature: 'c2ln' }, { text: 'Go on.' }),
    ]);

    expect(message?.content).toEqual([
      { type: 'thinking', thinking: 'Let me see.', signature: 'c2ln' },
      { type: 'redacted_thinking', data: 'ZGF0YQ==' },
      { type: 'thinking', thinking: '', signature: 'b21pdA==' },
      { type: 'text', text: 'Two.' },
    ]);
  });

  it('leaves out thoughts that nothing was said after, as of an answer that was cut: they are refused', () => {
    const thought = {
      text: 'Hm.',
      thought: true,
      thoughtSignature: 'c2ln',
      ...cameFrom({ provider: 'anthropic' }),
    };
    const messages = messagesOf([
      user({ text: 'hi' }),
      model(thought),
      user({ text: 'Go on.' }),
      model(thought, { text: 'One.' }, thought),
      user({ text: 'And?' }),
    ]);

    expect(messages.map(({ role, content }) => [role, content.length])).toEqual([
      ['user', 2],
      ['assistant', 2],
      ['user', 1],
    ]);
  });

  it('says in older turns what it cannot be shown, and refuses it in the newest', () => {
    const audio = { inlineData: { mimeType: 'audio/wav', data: 'QUJD' } };
    const empty = { inlineData: { mimeType: 'image/png', data: '' } };
    const heard = [
      user({ text: 'hi' }, audio, empty, { videoMetadata: {}, toolCall: {} }),
      model({ text: 'Well.' }),
    ];

    expect(messagesOf([...heard, user({ text: 'And?' })])[0]?.content).toEqual([
      { type: 'text', text: 'hi' },
      { type: 'text', text: '[Not shown to this model: audio/wav]' },
      { type: 'text', text: '[Not shown to this model: image/png]' },
      { type: 'text', text: expect.stringMatching(/^\[Not shown/) },
    ]);
    for (const part of [audio, empty]) {
      expect(() => messagesOf([...heard, user(part)])).toThrow(
        expect.objectContaining({ code: 'model.unsupported-part' }),
      );
    }
  });

  it('tells of what a tool made that it cannot be shown', () => {
    const parts = [{ inlineData: { mimeType: 'audio/wav', data: 'QUJD' } }];
    const messages = messagesOf([
      user({ text: 'hi' }),
      model(call('a', 'f')),
      user({ functionResponse: { id: 'a', name: 'f', response: { ok: true }, parts } }),
    ]);

    expect(messages[2]?.content).toMatchObject([
      { content: [{ text: '{"ok":true}' }, { text: '[Not shown to this model: audio/wav]' }] },
    ]);
  });

  it('shows code and its output as text', () => {
    const [message] = messagesOf([
      user({ executableCode: { code: '1 + 1' } }, { codeExecutionResult: { output: '2' } }),
    ]);

    expect(message?.content).toEqual([
      { type: 'text', text: '```python\n1 + 1\n```' },
      { type: 'text', text: '```output\n2\n```' },
    ]);
  });

  it('takes any content that stands in a history, however it is put together', () => {
    const odd: Content[] = [
      { role: 'model', parts: [response('x', 'f', {})] },
      { role: 'user', parts: [call('y', 'f')] },
      { role: 'function', parts: [response('z', 'f', {})] },
      { parts: [{ text: 'hm' }] },
      { role: 'model' },
      { role: 'model', parts: [{ inlineData: { mimeType: 'image/png', data: 'QUJD' } }, {}] },
    ];
    const messages = messagesOf(odd);

    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
    expect(JSON.stringify(messages)).toContain('[image/png]');
    expect(JSON.stringify(messages)).not.toContain('tool_');
  });
});

function messagesOf(contents: readonly Content[]) {
  return toAnthropicMessages(contents, new ToolNames([], 128));
}

function user(...parts: Part[]): Content {
  return { role: 'user', parts };
}

function model(...parts: Part[]): Content {
  return { role: 'model', parts };
}

function call(id: string, name: string): Part {
  return { functionCall: { id, name, args: {} } };
}

function response(id: string, name: string, answer: Record<string, unknown>): Part {
  return { functionResponse: { id, name, response: answer } };
}
