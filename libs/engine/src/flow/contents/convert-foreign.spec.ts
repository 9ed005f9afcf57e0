import { type Part } from '@skein/contracts';
import { answers, aResponse, asks, inTime, says, transcript } from '@skein/testing';
import { buildContents } from './build-contents';
import { type ContentsView } from './contents-view';

const me: ContentsView = { agentName: 'me', includeContents: 'default' };
const thought: Part = { text: 'hm', thought: true };

describe("other agents' events", () => {
  it('are told as context in the role of the user (B4)', () => {
    const call = { id: '1', name: 'look', args: { at: ['x', 1] } };
    const result = { functionResponse: { id: '1', name: 'look', response: { seen: true } } };
    const events = inTime(
      says('user', 'go'),
      asks('other', [call]),
      says('other', [result]),
      says('other', 'so'),
    );

    const contents = buildContents(events, me);

    expect(transcript(contents)).toEqual([
      'user: go',
      'user: For context: | [other] called tool `look` with parameters: {"at":["x",1]}',
      'user: For context: | [other] `look` tool returned result: {"seen":true}',
      'user: For context: | [other] said: so',
    ]);
  });

  it('lose their thoughts, and vanish when nothing else is left (B4)', () => {
    const events = inTime(says('other', [thought, { text: 'so' }]), says('other', [thought, { text: ' ' }]));

    const contents = buildContents(events, me);

    expect(transcript(contents)).toEqual(['user: For context: | [other] said: so']);
  });

  it('show their thoughts when these are wanted (B4)', () => {
    const events = inTime(says('other', [thought]), says('other', [thought, { text: 'so' }]));

    const contents = buildContents(events, { ...me, includeThoughtsFromOtherAgents: true });

    expect(transcript(contents)).toEqual([
      'user: For context: | [other] thought: hm',
      'user: For context: | [other] thought: hm | [other] said: so',
    ]);
  });

  it('pass media and code on unchanged (B4)', () => {
    const parts: Part[] = [
      { inlineData: { data: 'AA==', mimeType: 'image/png' } },
      { fileData: { fileUri: 'gs://f' } },
      { executableCode: { code: '1+1' } },
      { codeExecutionResult: { output: '2' } },
    ];

    const contents = buildContents([says('other', parts)], me);

    expect(contents).toEqual([{ role: 'user', parts: [{ text: 'For context:' }, ...parts] }]);
  });

  it("are not the user's, nor the agent's own", () => {
    const events = inTime(says('user', 'hi'), says('me', [thought, { text: 'ho' }]));

    const contents = buildContents(events, me);

    expect(transcript(contents)).toEqual(['user: hi', 'model: hm | ho']);
  });

  it('take with them the responses that somebody else gave to their calls (B5)', () => {
    const events = inTime(
      asks('parent', ['a']),
      answers('me', { a: 1 }),
      asks('parent', ['b']),
      answers('user', { b: 2 }),
    );

    const contents = buildContents(events, me);

    expect(transcript(contents)).toEqual([
      'user: For context: | [parent] called tool `f_a` with parameters: {}',
      'user: For context: | [me] `f_a` tool returned result: {"result":1}',
      'user: For context: | [parent] called tool `f_b` with parameters: {}',
      'user: For context: | [user] `f_b` tool returned result: {"result":2}',
    ]);
  });

  it("leave the agent its own responses when the user answers both agents' calls at once (B5)", () => {
    const both = says('user', [aResponse('a', 1), aResponse('b', 2)]);
    const events = inTime(asks('other', ['a']), asks('me', ['b']), both, says('me', 'ok'));

    const contents = buildContents(events, me);

    expect(transcript(contents)).toEqual([
      'user: For context: | [other] called tool `f_a` with parameters: {}',
      'model: ?b',
      'user: !b=2',
      'user: For context: | [user] `f_a` tool returned result: {"result":1}',
      'model: ok',
    ]);
  });

  it('take with them what is said beside such responses, when none is to a call of the agent (B5)', () => {
    const both = says('user', [aResponse('a', 1), { text: 'and hurry' }]);
    const events = inTime(asks('other', ['a']), both);

    const contents = buildContents(events, me);

    expect(transcript(contents)).toEqual([
      'user: For context: | [other] called tool `f_a` with parameters: {}',
      'user: For context: | [user] `f_a` tool returned result: {"result":1} | [user] said: and hurry',
    ]);
  });

  it('keep the response to a call of their own apart from a call of the same id (B5)', () => {
    const events = inTime(
      asks('me', ['a']),
      answers('me', { a: 1 }),
      asks('other', ['a']),
      answers('other', { a: 2 }),
      says('user', 'and?'),
    );

    const contents = buildContents(events, me);

    expect(transcript(contents)).toEqual([
      'model: ?a',
      'user: !a=1',
      'user: For context: | [other] called tool `f_a` with parameters: {}',
      'user: For context: | [other] `f_a` tool returned result: {"result":2}',
      'user: and?',
    ]);
  });
});
