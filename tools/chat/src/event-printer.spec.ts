import { EventPrinter } from './event-printer';
import type { WireFrame } from './wire-event';

function printed(frames: readonly WireFrame[]): string {
  let text = '';
  const printer = new EventPrinter((more) => (text += more));
  for (const frame of frames) printer.print(frame);
  return text;
}

function text(value: string, more: object = {}): WireFrame {
  return { id: 'e1', author: 'weather', content: { parts: [{ text: value }] }, ...more };
}

describe('EventPrinter', () => {
  it('prints tokens as they come, and not again when the event is complete', () => {
    const output = printed([
      text('It is ', { partial: true }),
      text('sunny.', { partial: true }),
      text('It is sunny.'),
    ]);

    expect(output).toBe('weather: It is sunny.\n');
  });

  it('prints an event that did not stream', () => {
    expect(printed([text('It is sunny.')])).toBe('weather: It is sunny.\n');
  });

  it('adds what the stream left out', () => {
    expect(printed([text('It is', { partial: true }), text('It is sunny.')])).toBe('weather: It is sunny.\n');
  });

  it('prints the complete text below the streamed one where they differ', () => {
    expect(printed([text('Damn', { partial: true }), text('Pardon')])).toBe(
      'weather: Damn\nweather: Pardon\n',
    );
  });

  describe('told that the pieces it printed are void', () => {
    const [begun, reset] = [text('It is su', { partial: true }), { reset: 'e1' }];

    it.each([
      ['piece by piece', [text('It', { partial: true }), text(' is sunny.', { partial: true })]],
      ['from the middle on', [text('nny.', { partial: true })]],
      ['at once', []],
    ])('prints the same text once, though it is told anew %s', (_, again) => {
      expect(printed([begun, reset, ...again, text('It is sunny.')])).toBe('weather: It is sunny.\n');
    });

    it('goes on as pieces come that it has not printed', () => {
      expect(
        printed([begun, reset, text('It is ', { partial: true }), text('sunny', { partial: true })]),
      ).toBe('weather: It is sunny');
    });

    it.each(['Rain.', 'It is'])('prints another text (%s) below, once', (whole) => {
      const again = whole.split(' ').map((piece) => text(piece, { partial: true }));

      expect(printed([begun, reset, ...again, text(whole)])).toBe(`weather: It is su\nweather: ${whole}\n`);
    });

    it('does not care for pieces of an event it printed none of', () => {
      expect(printed([{ reset: 'e0' }, text('Hi', { partial: true }), text('Hi')])).toBe('weather: Hi\n');
    });
  });

  it('keeps events apart that stream the same words', () => {
    const output = printed([text('Hm', { partial: true }), text('Hm'), text('Hm', { id: 'e2' })]);

    expect(output).toBe('weather: Hm\nweather: Hm\n');
  });

  it('leaves thoughts out', () => {
    expect(printed([{ id: 'e1', content: { parts: [{ text: 'let me see', thought: true }] } }])).toBe('');
  });

  it('shows a call, and who answered it after how long', () => {
    const call = { functionCall: { id: 'c1', name: 'get_weather', args: { city: 'Paris' } } };
    const response = { functionResponse: { id: 'c1', name: 'get_weather', response: { ok: true } } };
    const runs = [
      { callId: 'c1', tool: 'get_weather', worker: 'tool-worker-2', pid: 123, durationMs: 34.6, attempt: 1 },
    ];

    const output = printed([
      { id: 'e1', content: { parts: [call] } },
      { id: 'e2', content: { parts: [response] }, customMetadata: { 'skein.tools': runs } },
    ]);

    expect(output).toBe('→ get_weather({"city":"Paris"})\n← get_weather 35 ms (tool-worker-2, pid 123)\n');
  });

  it('shows that a tool failed', () => {
    const response = { functionResponse: { id: 'c1', name: 'pay', response: { error: 'no money' } } };

    expect(printed([{ id: 'e2', content: { parts: [response] } }])).toBe('← pay failed: no money\n');
  });

  it('shows errors of a model and of the stream in one line each', () => {
    const output = printed([
      text('Well', { partial: true }),
      { id: 'e2', errorCode: 'SAFETY', errorMessage: 'not\nallowed' },
      { error: 'ValueError: no' },
    ]);

    expect(output).toBe('weather: Well\n! SAFETY: not allowed\n! ValueError: no\n');
  });

  it('shows the error of a run once, though its last event and the end of its stream both tell it', () => {
    const output = printed([
      { id: 'e1', errorCode: 'agent.load', errorMessage: 'no\nrootAgent' },
      { error: 'agent.load: no\nrootAgent' },
    ]);

    expect(output).toBe('! agent.load: no rootAgent\n');
  });

  it('keeps control characters from the terminal', () => {
    expect(printed([text('a\u001b[2Jb\tc\nd')])).toBe('weather: a[2Jb\tc\nd\n');
  });

  it('names the agent before a call where another one spoke before', () => {
    const call = (author: string, name: string): WireFrame => ({
      id: name,
      author,
      content: { parts: [{ functionCall: { id: name, name, args: {} } }] },
    });

    const output = printed([call('root', 'a'), call('root', 'b'), call('child', 'c'), call('child', 'd')]);

    expect(output).toBe('→ a({})\n→ b({})\nchild: → c({})\n→ d({})\n');
  });

  it('streams one of the agents that run at the same time, and shows the others when they are complete', () => {
    const output = printed([
      text('It ', { partial: true }),
      { id: 'e2', author: 'clock', partial: true, content: { parts: [{ text: 'No' }] } },
      text('rains', { partial: true }),
      text('It rains'),
      { id: 'e2', author: 'clock', content: { parts: [{ text: 'Noon' }] } },
    ]);

    expect(output).toBe('weather: It rains\nclock: Noon\n');
  });

  it('keeps lines apart when another agent is complete while one streams', () => {
    const output = printed([
      text('It ', { partial: true }),
      { id: 'e2', author: 'clock', content: { parts: [{ text: 'Noon' }] } },
      text('rains', { partial: true }),
      text('It rains'),
    ]);

    expect(output).toBe('weather: It \nclock: Noon\nweather: rains\n');
  });

  it('shows a transfer in one line', () => {
    const call = { functionCall: { id: 'c1', name: 'transfer_to_agent', args: { agentName: 'child' } } };
    const response = {
      functionResponse: { id: 'c1', name: 'transfer_to_agent', response: { result: null } },
    };

    const output = printed([
      { id: 'e1', author: 'root', content: { parts: [call] } },
      { id: 'e2', author: 'root', content: { parts: [response] }, actions: { transferToAgent: 'child' } },
    ]);

    expect(output).toBe('root → child\n');
  });

  it('shows a transfer that was refused as a tool that failed', () => {
    const response = {
      functionResponse: { id: 'c1', name: 'transfer_to_agent', response: { error: 'no such agent' } },
    };

    expect(printed([{ id: 'e2', author: 'root', content: { parts: [response] } }])).toBe(
      '← transfer_to_agent failed: no such agent\n',
    );
  });

  it('tells of artifacts that were saved', () => {
    expect(printed([{ id: 'e1', actions: { artifactDelta: { 'notes.md': 2 } } }])).toBe(
      'saved notes.md, version 2\n',
    );
  });

  it('says what a call waits for, and leaves its question to who asks it', () => {
    const question = { functionCall: { id: 'q1', name: 'adk_request_confirmation', args: {} } };
    const response = { functionResponse: { id: 'c1', name: 'pay', response: { error: 'needs approval' } } };

    const output = printed([
      { id: 'e1', author: 'bank', content: { parts: [question] }, longRunningToolIds: ['q1'] },
      {
        id: 'e2',
        author: 'bank',
        content: { parts: [response] },
        actions: { requestedToolConfirmations: { c1: { confirmed: false } } },
      },
    ]);

    expect(output).toBe('← pay waits for your approval\n');
  });
});
