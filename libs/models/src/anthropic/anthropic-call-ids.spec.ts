import { AnthropicCallIds, toAnthropicCallId } from './anthropic-call-ids';

describe('toAnthropicCallId', () => {
  it('sends the ids of the engine and of the provider as they are (B9)', () => {
    expect(toAnthropicCallId('adk-0f5e-1')).toBe('adk-0f5e-1');
    expect(toAnthropicCallId('toolu_01A')).toBe('toolu_01A');
  });

  it.each(['call:1', 'a b', 'fc/ä_😀', 'esc_a', 'esc_esc_a', 'a_3ab'])(
    'puts %j into letters that the API takes, from which it can be read back',
    (id) => {
      const sent = toAnthropicCallId(id);

      expect(sent).toMatch(/^[a-zA-Z0-9_-]+$/);
      expect(readBack(sent)).toBe(id);
    },
  );
});

describe('AnthropicCallIds', () => {
  it('gives each id once', () => {
    const ids = new AnthropicCallIds();

    expect(['a', 'a', 'a-2', undefined, undefined].map((id) => ids.next(id))).toEqual([
      ...['a', 'a-2', 'a-2-2', 'call', 'call-2'],
    ]);
  });
});

function readBack(sent: string): string {
  if (!sent.startsWith('esc_')) return sent;
  const bytes = sent.slice('esc_'.length).replaceAll(/_([0-9a-f]{2})/g, (_match, hex: string) => `%${hex}`);
  return decodeURIComponent(bytes);
}
