import { type Event } from '@skein/contracts';

/** What a model answers: a whole answer, or one piece of a streamed one (`partial: true`). */
export type LlmResponse = Partial<
  Pick<
    Event,
    | 'content'
    | 'partial'
    | 'turnComplete'
    | 'finishReason'
    | 'errorCode'
    | 'errorMessage'
    | 'interrupted'
    | 'customMetadata'
    | 'usageMetadata'
    | 'groundingMetadata'
    | 'citationMetadata'
    | 'modelVersion'
  >
>;
