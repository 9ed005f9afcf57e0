import { BaseLlm, type LlmRequest, type LlmResponse } from '@skein/engine';

/** What a fake model answers to one request: each response as it is, or a throw. */
export type FakeAnswer = readonly LlmResponse[] | Error;

/** A model that notes what it was asked; it answers by the request's ordinal, and nothing when it has no more. */
export class FakeLlm extends BaseLlm {
  readonly requests: LlmRequest[] = [];

  constructor(private readonly answers: readonly FakeAnswer[]) {
    super({ model: 'fake' });
  }

  override async *generateContentAsync(request: LlmRequest): AsyncGenerator<LlmResponse, void> {
    this.requests.push(request);
    const answer = this.answers[request.ordinal] ?? [];
    if (answer instanceof Error) throw answer;
    yield* answer;
  }
}
