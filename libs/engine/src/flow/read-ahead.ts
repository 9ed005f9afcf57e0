import { type LlmResponse } from '../model/llm-response';

/**
 * Hands pieces on as they come, and a whole answer once it is known what follows it: a model call has ended then, with
 * its span and its connection, before the tools it asks for run, which may take hours.
 */
export async function* readAhead(
  responses: AsyncGenerator<LlmResponse, void>,
): AsyncGenerator<LlmResponse, void> {
  let held: LlmResponse | undefined;
  try {
    for await (const response of responses) {
      if (held) yield held;
      held = response.partial ? undefined : response;
      if (response.partial) yield response;
    }
  } catch (error) {
    if (held) yield held;
    throw error;
  }
  if (held) yield held;
}
