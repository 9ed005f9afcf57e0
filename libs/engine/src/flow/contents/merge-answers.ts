import { type Part } from '@skein/contracts';
import { type AskedCall, type Exchange, type Pairing } from './pair-responses';

/**
 * The responses to the calls of one event as one content: for each call the latest, in the place of its first, with what
 * else the answering events say (B6, B7).
 */
export function mergeAnswers(exchange: Exchange, pairing: Pairing): Part[] {
  const merged: Part[] = [];
  const places = new Map<AskedCall, number>();
  for (const event of exchange.answeredBy) {
    const calls = pairing.answered.get(event) ?? [];
    // An event may answer calls of two others; its text then goes with the first response.
    const hasText = !pairing.exchanges.has(event) && calls.find((call) => call)?.exchange === exchange;
    event.content?.parts?.forEach((part, index) => {
      const call = calls[index];
      if (call?.exchange === exchange) {
        const place = places.get(call) ?? merged.length;
        places.set(call, place);
        merged[place] = part;
      } else if (!part.functionResponse && hasText) {
        merged.push(part);
      }
    });
  }
  return merged;
}
