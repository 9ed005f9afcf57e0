import { AdkError, type Content, type Part } from '@skein/contracts';
import { QUESTIONS } from './answered-call';

/** More calls than any model makes in one turn; each is looked for in the session. */
const MAX_RESPONSES = 256;

/**
 * A user's message as a run takes it (B46): with a role, and either words or answers to calls. Whatever else it holds is
 * refused before anything is stored.
 */
export function checkMessage(message: Content): Content {
  const parts = message.parts ?? [];
  if (parts.length === 0) throw refused('empty', 'A message must have at least one part.');
  if (parts.some(({ functionCall }) => functionCall !== undefined)) {
    throw refused('function-call', 'A user message must not hold function calls: only agents call tools.');
  }
  if (parts.some(isResponse)) checkResponses(parts);
  const { role = 'user', ...said } = message;
  return { role, ...said };
}

/** Without its id nobody can tell which call, and so which invocation, a response is for. */
function checkResponses(parts: readonly Part[]): void {
  if (parts.some(({ text }) => text !== undefined && text !== '')) {
    throw refused(
      'mixed',
      'Message cannot contain both function responses and text. Function responses resume an invocation, text starts one.',
    );
  }
  const responses = parts.filter(isResponse);
  if (responses.length > MAX_RESPONSES) {
    throw refused('too-many-responses', `A message holds at most ${MAX_RESPONSES} function responses.`);
  }
  if (responses.some((part) => !part.functionResponse?.id)) {
    throw refused('response-without-id', 'A function response must carry the id of the call it answers.');
  }
  const decided = responses.flatMap(({ functionResponse: { id, name } = {} }) =>
    QUESTIONS.has(name) ? (id ?? '') : [],
  );
  const twice = decided.find((id, index) => decided.indexOf(id) !== index);
  if (twice !== undefined) {
    throw refused(
      'answered-twice',
      `A question is answered once, and this message has two answers to ${twice}.`,
    );
  }
}

function isResponse({ functionResponse }: Part): boolean {
  return functionResponse !== undefined;
}

function refused(reason: string, sentence: string): AdkError {
  return new AdkError('invalid', `message.${reason}`, sentence);
}
