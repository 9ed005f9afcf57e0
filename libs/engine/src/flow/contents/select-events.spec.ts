import { type Event, type Part } from '@skein/contracts';
import { answers, anEvent, asks, says, summary } from '@skein/testing';
import { isBranchVisible } from './branch-visibility';
import { selectEvents, type SelectionView } from './select-events';

const call = { functionCall: { id: '1', name: 'f' } };
const response = { functionResponse: { id: '1', name: 'f' } };
const code = { executableCode: { code: '1' } };
const result = { codeExecutionResult: { output: '1' } };
const thought = { text: 'hm', thought: true };

function isSelected(event: Event, view: SelectionView = {}): boolean {
  return selectEvents([event], view).length > 0;
}

describe('selectEvents', () => {
  it.each<[string, Part[], boolean]>([
    ['a text', [{ text: 'hi' }], true],
    ['an image', [{ inlineData: { data: 'AA==', mimeType: 'image/png' } }], true],
    ['a file', [{ fileData: { fileUri: 'gs://f' } }], true],
    ['a field that only a newer neighbour knows', [{ hologram: {} }], true],
    ['no part', [], false],
    ['a part without a field', [{}], false],
    ['an empty text', [{ text: '' }], false],
    ['white space', [{ text: ' \n' }], false],
    ['thoughts alone', [thought, thought], false],
    ['a thought and an empty text', [thought, { text: '' }], false],
    ['a thought and a text', [thought, { text: 'hi' }], true],
    ['a call that is flagged as thought', [{ ...call, thought: true }], true],
    ['a response that is flagged as thought', [{ ...response, thought: true }], true],
    ['code that is flagged as thought', [{ ...code, thought: true }], true],
    ['a code result after an empty text', [{ text: '' }, result], true],
  ])('takes an event with %s for what it says (B2)', (_what, parts, expected) => {
    expect(isSelected(says('me', parts))).toBe(expected);
  });

  it('keeps a visible event whole, the thoughts of its author too', () => {
    const event = says('me', [thought, { text: '' }, { text: 'hi' }]);

    expect(selectEvents([event], {})).toEqual([event]);
  });

  it("takes another agent's thoughts for words only when they are wanted (B2, B4)", () => {
    const wanted = { agentName: 'me', includeThoughtsFromOtherAgents: true };

    expect(isSelected(says('other', [thought]), wanted)).toBe(true);
    expect(isSelected(says('me', [thought]), wanted)).toBe(false);
    expect(isSelected(says('other', [thought]), { agentName: 'me' })).toBe(false);
  });

  it('leaves out chunks, state and errors that say nothing', () => {
    const events = [
      says('me', 'h', { partial: true }),
      anEvent({ actions: { stateDelta: { a: 1 } } }),
      anEvent({ errorCode: 'MAX_ITERATIONS' }),
    ];

    expect(selectEvents(events, {})).toEqual([]);
  });

  it.each(['adk_request_credential', 'adk_request_confirmation', 'adk_request_input'])(
    'leaves out %s, asked or answered (B2)',
    (name) => {
      const asked = asks('me', [{ id: '1', name, args: { secret: 1 } }]);
      const answered = says('user', [{ functionResponse: { id: '1', name } }]);

      expect(selectEvents([asked, answered], {})).toEqual([]);
    },
  );

  it('keeps what the user answered beside a question of the framework', () => {
    const confirmation = { functionResponse: { id: '1', name: 'adk_request_confirmation' } };
    const event = says('user', [confirmation, response]);

    const [selected] = selectEvents([event], {});

    expect(selected?.content?.parts).toEqual([response]);
    expect(event.content?.parts).toHaveLength(2);
  });

  it('sees its own isolation scope alone, and without one only events without one (B2)', () => {
    const scoped = says('me', 'in', { isolationScope: 'call-1' });
    const open = says('me', 'out');

    expect(selectEvents([scoped, open], {})).toEqual([open]);
    expect(selectEvents([scoped, open], { isolationScope: 'call-1' })).toEqual([scoped]);
    expect(selectEvents([scoped, open], { isolationScope: 'call-2' })).toEqual([]);
  });

  it('sees what is on its own branch and above, nothing below or beside (B3)', () => {
    const on = (branch?: string) => says('me', branch ?? 'nowhere', branch ? { branch } : {});
    const events = [on(), on('p'), on('p.child'), on('p.child.grandchild'), on('p.child000'), on('q')];

    const seen = selectEvents(events, { branch: 'p.child' });

    expect(seen.map(({ branch }) => branch)).toEqual([undefined, 'p', 'p.child']);
  });

  it('passes compactions on, where they are visible', () => {
    const events = [summary('s', [1, 2]), summary('s', [1, 2], { branch: 'q' })];

    expect(selectEvents(events, { branch: 'p' })).toEqual([events[0]]);
  });

  it('keeps the pair of call and response', () => {
    const events = [asks('me', ['a']), answers('me', { a: 1 })];

    expect(selectEvents(events, {})).toEqual(events);
  });
});

describe('isBranchVisible (B3)', () => {
  it.each([
    [undefined, 'p', true],
    ['p', undefined, true],
    ['', 'p', true],
    ['p', 'p', true],
    ['p', 'p.child', true],
    ['p.child', 'p', false],
    ['p.child', 'p.child000', false],
    ['p.child000', 'p.child', false],
    ['p.child', 'p.other', false],
  ])('of %s from %s is %s', (written, from, expected) => {
    expect(isBranchVisible(written, from)).toBe(expected);
  });
});
