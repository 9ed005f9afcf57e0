import { type LlmResponse } from '@skein/engine';
import { type WireStop } from './anthropic-wire';

type Told = Pick<LlmResponse, 'finishReason' | 'errorCode' | 'errorMessage'>;

/** In google-genai's names; an end that is not a good one is an error code with a sentence. */
export function fromAnthropicStop({ stop_reason: reason, stop_details: details }: WireStop): Told {
  switch (reason) {
    case null:
    case undefined:
    case '':
      return {};
    case 'end_turn':
    case 'stop_sequence':
    case 'tool_use':
      return { finishReason: 'STOP' };
    case 'max_tokens':
      return failed('MAX_TOKENS', 'The answer was cut: it reached the limit of tokens.');
    case 'model_context_window_exceeded':
      return failed('MAX_TOKENS', "The answer was cut: the conversation fills the model's context window.");
    case 'refusal':
      return failed('SAFETY', details?.explanation ?? `Claude refused to answer${ofCategory(details)}.`);
    case 'pause_turn':
      return failed('OTHER', 'Claude paused in the middle of its turn.');
    default:
      return failed('OTHER', `Claude ended its answer for a reason that is not known: ${reason}.`);
  }
}

function failed(code: string, errorMessage: string): Told {
  return { finishReason: code, errorCode: code, errorMessage };
}

function ofCategory(details: WireStop['stop_details']): string {
  return details?.category ? ` (${details.category})` : '';
}
