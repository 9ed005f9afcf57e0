import { type LlmResponse, type ScriptedRule } from '@skein/adk';

const HINT = 'I keep notes. Say "add buy milk", "list", "call me Ada" or "export".';

/** What the sample says without a real model. The first rule that matches what was said last answers. */
export const script: readonly ScriptedRule[] = [
  {
    when: /^(?:add_notes|remember_name|list_notes|export_notes): .*"error":"(.+?)"/,
    respond: ([, error]) => `That failed: ${error ?? ''}`,
  },
  {
    when: /^add_notes: (\{.*\})$/,
    respond: ([, json = '']) => {
      const { added, count } = JSON.parse(json) as { added: string[]; count: number };
      return `Noted: ${added.join(', ')}. That makes ${counted(count)}.`;
    },
  },
  {
    when: /^list_notes: (\{.*\})$/,
    respond: ([, json = '']) => {
      const { notes, name } = JSON.parse(json) as { notes: string[]; name: string | null };
      const who = name ? `${name}, you` : 'You';
      return notes.length === 0
        ? `${who} have no notes.`
        : `${who} have ${counted(notes.length)}: ${notes.join(', ')}.`;
    },
  },
  {
    when: /^remember_name: (\{.*\})$/,
    respond: ([, json = '']) => `Nice to meet you, ${(JSON.parse(json) as { name: string }).name}.`,
  },
  {
    when: /^export_notes: (\{.*\})$/,
    respond: ([, json = '']) => {
      const { filename, version, count } = JSON.parse(json) as {
        filename: string;
        version: number;
        count: number;
      };
      return `Saved ${counted(count)} as ${filename}, version ${version}.`;
    },
  },
  {
    when: /^(?:add|note|remember to)\s+(.+)$/i,
    respond: ([, text = '']) => call('add_notes', { notes: text.split(/\s*[,;]\s*/).filter(Boolean) }),
  },
  { when: /^call me\s+(.+?)[.!]?$/i, respond: ([, name]) => call('remember_name', { name }) },
  { when: /\blist\b|\bshow\b|\bmy notes\b/i, respond: () => call('list_notes') },
  { when: /\b(?:export|save)\b/i, respond: () => call('export_notes') },
  { when: /^/, respond: () => HINT },
];

function call(name: string, args: Record<string, unknown> = {}): LlmResponse {
  return { content: { role: 'model', parts: [{ functionCall: { name, args } }] } };
}

function counted(count: number): string {
  return count === 1 ? '1 note' : `${count} notes`;
}
