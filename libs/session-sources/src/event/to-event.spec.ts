import { type SourceEvent } from '../session-source';
import { toEvent } from './to-event';

const base = { author: 'helper', timestamp: 1763640000.123456 };

function aRow(data: unknown, row: Partial<SourceEvent> = {}): SourceEvent {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return { id: 'x1', invocationId: 'e-1', seconds: 5, data: text, bytes: text.length, ...row };
}

const read = (data: unknown, row?: Partial<SourceEvent>) => toEvent(aRow(data, row), { repairs: false });

describe('an event of another ADK', () => {
  it('has the keys of models in camelCase, and of nothing else', () => {
    const own = { a_b: { c_d: [{ e_f: 1 }] } };

    const event = read({
      ...base,
      error_code: 'X',
      long_running_tool_ids: ['a_b'],
      custom_metadata: own,
      output: own,
      node_info: { output_for: ['n_1'] },
      usage_metadata: { prompt_token_count: 1, prompt_tokens_details: [{ token_count: 1 }] },
      content: {
        role: 'model',
        parts: [
          { function_call: { id: 'c_1', name: 'my_tool', args: own, partial_args: [{ json_path: '$' }] } },
          { function_response: { id: 'c_1', name: 'my_tool', response: own, will_continue: true } },
          { file_data: { file_uri: 'u_v', mime_type: 'm' }, part_metadata: own },
          { code_execution_result: { outcome: 'OUTCOME_OK' }, video_metadata: { start_offset: '1s' } },
        ],
      },
      actions: {
        state_delta: own,
        artifact_delta: { 'my_file.png': 2 },
        agent_state: own,
        transfer_to_agent: 'my_agent',
        requested_auth_configs: { call_1: { auth_scheme: { type_: 'http' }, credential_key: 'k' } },
        requested_tool_confirmations: { call_1: { hint: 'h', payload: own } },
      },
    });

    expect(event).toEqual({
      ...base,
      id: 'x1',
      invocationId: 'e-1',
      errorCode: 'X',
      longRunningToolIds: ['a_b'],
      customMetadata: own,
      output: own,
      nodeInfo: { outputFor: ['n_1'] },
      usageMetadata: { promptTokenCount: 1, promptTokensDetails: [{ tokenCount: 1 }] },
      content: {
        role: 'model',
        parts: [
          { functionCall: { id: 'c_1', name: 'my_tool', args: own, partialArgs: [{ jsonPath: '$' }] } },
          { functionResponse: { id: 'c_1', name: 'my_tool', response: own, willContinue: true } },
          { fileData: { fileUri: 'u_v', mimeType: 'm' }, partMetadata: own },
          { codeExecutionResult: { outcome: 'OUTCOME_OK' }, videoMetadata: { startOffset: '1s' } },
        ],
      },
      actions: {
        stateDelta: own,
        artifactDelta: { 'my_file.png': 2 },
        agentState: own,
        transferToAgent: 'my_agent',
        requestedAuthConfigs: { call_1: { authScheme: { type: 'http' }, credentialKey: 'k' } },
        requestedToolConfirmations: { call_1: { hint: 'h', payload: own } },
      },
    });
  });

  it('keeps keys called __proto__ as keys, wherever they are', () => {
    const data = JSON.parse('{"__proto__":{"polluted":true},"a":{"__proto__":1}}') as Record<string, unknown>;
    const text = JSON.stringify({
      ...base,
      custom_metadata: data,
      content: { parts: [{ function_call: { name: 'f', args: data } }, { text: 't' }] },
      actions: { state_delta: data, requested_tool_confirmations: data },
      grounding_metadata: data,
    }).replace('{', '{"__proto__":{"polluted":1},');

    const kept = JSON.stringify(read(text));

    expect(kept.match(/"__proto__":\{"polluted":true\}/g)).toHaveLength(5);
    expect(kept.match(/"__proto__":1/g)).toHaveLength(5);
    expect(kept).toContain('"__proto__":{"polluted":1}');
    expect({}).not.toHaveProperty('polluted');
  });

  it('has all maps of its actions, also where the source has none', () => {
    expect(read(base).actions).toEqual({
      stateDelta: {},
      artifactDelta: {},
      requestedAuthConfigs: {},
      requestedToolConfirmations: {},
    });
  });

  it('keeps fields that are not known, their values as they are, and loses nulls of models alone', () => {
    const event = read({
      ...base,
      new_field: { in_it: null },
      branch: null,
      actions: { state_delta: { gone: null } },
    });

    expect(event).toMatchObject({ newField: { in_it: null }, actions: { stateDelta: { gone: null } } });
    expect(event).not.toHaveProperty('branch');
  });

  it.each([
    ['_-8BAg==', '/+8BAg=='],
    ['_-8BAg', '/+8BAg=='],
    ['/+8BAg==', '/+8BAg=='],
    ['no base64!', 'no base64!'],
  ])('holds bytes %p as %p', (given, kept) => {
    const parts = [{ inline_data: { data: given, mime_type: 'm' } }, { thought_signature: given, text: 't' }];

    expect(read({ ...base, content: { parts } }).content?.parts).toEqual([
      { inlineData: { data: kept, mimeType: 'm' } },
      { thoughtSignature: kept, text: 't' },
    ]);
  });

  it.each([
    ['float seconds', 1763640000.123456, 1763640000.123456],
    ['milliseconds', 1763640000123, 1763640000.123],
    ['the column alone', undefined, 5],
  ])('has its time from %s', (_, timestamp, seconds) => {
    expect(read({ ...base, timestamp }).timestamp).toBe(seconds);
  });

  it('has the summary of adk-js as the action it is in Skein', () => {
    const summary = { role: 'model', parts: [{ text: 'short' }] };

    const event = read({
      ...base,
      is_compacted: true,
      start_time: 1e12,
      end_time: 2e12,
      compacted_content: summary,
    });

    expect(event.actions.compaction).toEqual({
      startTimestamp: 1e9,
      endTimestamp: 2e9,
      compactedContent: summary,
    });
  });

  const deep = `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`;
  it.each<[string, unknown, Partial<SourceEvent>]>([
    ['has no event_data', base, { data: undefined, bytes: 0 }],
    ['is of 40000000 bytes', base, { data: undefined, bytes: 40_000_000 }],
    ['is not JSON', '{"author": NaN}', {}],
    ['is not a JSON object', [1], {}],
    ['holds a NUL character in content.parts.0.text', { ...base, content: { parts: [{ text: 'a\0' }] } }, {}],
    ['holds half a surrogate pair in output', '{"author":"a","timestamp":1,"output":"\\ud800"}', {}],
    ['holds the number 9007199254740993,', '{"author":"a","timestamp":1,"output":9007199254740993}', {}],
    ['nested deeper than 64', `{"author":"a","timestamp":1,"output":${deep}}`, {}],
    ['nested deeper than 500', `{"author":"a","output":${'['.repeat(5000)}${']'.repeat(5000)}}`, {}],
    ['has no time', { author: 'a' }, { seconds: NaN }],
    ['is no event', { timestamp: 1 }, {}],
    ['holds errorCode twice', { ...base, errorCode: 'a', error_code: 'b' }, {}],
    ['has an empty id', base, { id: '' }],
    ['has an id of more than 256 bytes', base, { id: 'é'.repeat(129) }],
    ['has an id with control characters', base, { id: 'a\nb' }],
    ['has an invocation id of more than', base, { invocationId: 'e'.repeat(300) }],
  ])('is told of when it %s', (sentence, data, row) => {
    expect(() => read(data, row)).toThrow(sentence);
  });

  it.each([
    ['within a text, also behind a quote', String.raw`"a \" 9007199254740993"`],
    ['with a fraction', '0.12345678901234567'],
    ['that are exact', '9007199254740991'],
  ])('may hold many digits %s', (_, output) => {
    const text = `{"author":"a","timestamp":1,"output":${output}}`;

    expect(read(text).output).toEqual(JSON.parse(output));
  });

  it('is repaired where that is asked for', () => {
    const event = toEvent(aRow({ ...base, output: 'a\0b\ud800' }), { repairs: true });

    expect(event.output).toBe('a\ufffdb\ufffd');
    const long = aRow('{"author":"a","timestamp":1,"output":9007199254740993}');
    expect(toEvent(long, { repairs: true }).output).toBe(9_007_199_254_740_992);
  });
});
