import type { RefusalStopDetails, StopReason } from '@anthropic-ai/sdk/resources/messages';
import { type LlmResponse } from '@skein/engine';

/** Why an answer ended; null where the server does not say. */
export interface AnthropicStop {
  readonly stop_reason: StopReason | null;
  readonly stop_details?: RefusalStopDetails | null;
}

type Told = Pick<LlmResponse, 'finishReason' | 'errorCode' | 'errorMessage'>;

/** In google-genai's names; an end that is not a good one is an error code with a sentence. */
export function fromAnthropicStop({ stop_reason: reason, stop_details: details }: AnthropicStop): Told {
  switch (reason) {
    case null:
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
      return failed('OTHER', `Claude ended its answer for a reason that is not known: ${String(reason)}.`);
  }
}

function failed(code: string, errorMessage: string): Told {
  return { finishReason: code, errorCode: code, errorMessage };
}

function ofCategory(details: RefusalStopDetails | null | undefined): string {
  return details?.category ? ` (${details.category})` : '';
}
