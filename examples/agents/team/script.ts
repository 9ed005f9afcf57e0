import { type LlmRequest, type LlmResponse } from '@skein/adk';
import { type Answer } from './models';

const HINT = 'Say "plan a day in Rome", "what do I owe?" or "translate good morning into Italian".';

const cities: Readonly<Record<string, { sight: string; dish: string }>> = {
  paris: { sight: 'the Louvre', dish: 'onion soup' },
  rome: { sight: 'the Pantheon', dish: 'carbonara' },
};

const phrases: Readonly<Record<string, string>> = {
  'good morning into french': 'bonjour',
  'good morning into italian': 'buongiorno',
};

/** What each agent says without a real model. */
export const answers: Readonly<Record<AgentName, Answer>> = {
  desk: (request) => {
    const translation = /^\{"result":"(.+)"\}$/.exec(lastResult(request))?.[1];
    if (translation) return `That is "${translation}".`;
    const said = lastSaid(request);
    const phrase = /translate\s+(.+)/i.exec(said)?.[1];
    if (phrase) return call('translator', { request: phrase });
    if (/\bowe\b|\bbill\b/i.test(said)) return call('transfer_to_agent', { agentName: 'cashier' });
    if (/\bplan\b|\btrip\b/i.test(said)) return call('transfer_to_agent', { agentName: 'trip_planner' });
    return HINT;
  },
  cashier: (request) =>
    /\bowe\b|\bbill\b|\bpay\b/i.test(lastSaid(request))
      ? 'You owe 40 € for the museum.'
      : call('transfer_to_agent', { agentName: 'desk' }),
  translator: (request) => phrases[lastSaid(request).toLowerCase()] ?? 'I do not know that phrase',
  sights: (request) => cityIn(request)?.sight ?? 'the old town',
  food: (request) => cityIn(request)?.dish ?? 'soup',
  writer: (request) => {
    const [, sight, dish, critique] =
      /See: (.*)\nEat: (.*)\nMend: (.*)/.exec(request.config.systemInstruction ?? '') ?? [];
    return critique ? `In the morning ${sight}, at noon ${dish}.` : `First ${sight}, then ${dish}.`;
  },
  critic: (request) =>
    (request.config.systemInstruction ?? '').includes('morning') ? call('exit_loop') : 'When is what?',
};

type AgentName = 'desk' | 'cashier' | 'translator' | 'sights' | 'food' | 'writer' | 'critic';

/** What the user said last. What other agents did is told to a model in the user's role too, after a header. */
function lastSaid({ contents }: LlmRequest): string {
  const said = contents.flatMap(({ role, parts = [] }) => {
    const [first] = parts;
    return role === 'user' && first?.text !== undefined && first.text !== 'For context:' ? [first.text] : [];
  });
  return said.at(-1) ?? '';
}

/** What a tool answered to the call just made. */
function lastResult({ contents }: LlmRequest): string {
  return JSON.stringify(contents.at(-1)?.parts?.[0]?.functionResponse?.response ?? null);
}

function cityIn(request: LlmRequest) {
  const said = lastSaid(request).toLowerCase();
  return Object.entries(cities).find(([city]) => said.includes(city))?.[1];
}

function call(name: string, args: Record<string, unknown> = {}): LlmResponse {
  return { content: { role: 'model', parts: [{ functionCall: { name, args } }] } };
}
