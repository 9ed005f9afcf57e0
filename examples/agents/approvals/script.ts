import { type LlmResponse, type ScriptedRule } from '@skein/adk';

const HINT = 'Say "pay Ann 40", "pay Ann 500", "ask my manager for Friday off" or "lunch".';

/** What the sample says without a real model. The first rule that matches what was said last answers. */
export const script: readonly ScriptedRule[] = [
  { when: /^pay: .*"error":"(.+?)"/, respond: ([, error]) => `Nothing was paid: ${error ?? ''}` },
  {
    when: /^pay: (\{.*\})$/,
    respond: ([, json = '']) => {
      const { paid, to, spent } = JSON.parse(json) as { paid: number; to: string; spent: number };
      return `Paid ${paid} € to ${to}; that makes ${spent} € in this session.`;
    },
  },
  { when: /^ask_manager: (\{.*\})$/, respond: ([, json = '']) => `Your manager answered: ${resultIn(json)}` },
  { when: /^get_user_choice: (\{.*\})$/, respond: ([, json = '']) => `Ordered: ${resultIn(json)}.` },
  {
    when: /^pay\s+(\w+)\s+(\d+)/i,
    respond: ([, to, amount]) => call('pay', { to, amount: Number(amount) }),
  },
  { when: /manager\s+(?:for|about)?\s*(.+)/i, respond: ([, question]) => call('ask_manager', { question }) },
  { when: /\blunch\b/i, respond: () => call('get_user_choice', { options: ['soup', 'salad', 'pizza'] }) },
  { when: /^/, respond: () => HINT },
];

function resultIn(json: string): string {
  const { result, ...others } = JSON.parse(json) as { result?: string };
  return result ?? JSON.stringify(others);
}

function call(name: string, args: Record<string, unknown>): LlmResponse {
  return { content: { role: 'model', parts: [{ functionCall: { name, args } }] } };
}
