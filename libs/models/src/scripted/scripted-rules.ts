import { type LlmRequest, type LlmResponse, readContents } from '@skein/engine';
import { type ScriptedResponse, wordByWord } from './scripted-response';

/**
 * One rule of a scripted model. `when` is matched against what was said last (see `textOfLast`); the first rule that
 * matches answers. A text is an answer of one text part, streamed word by word when the run streams.
 */
export interface ScriptedRule {
  readonly when: RegExp;
  readonly respond: (match: RegExpExecArray, request: LlmRequest) => RuleAnswer | Promise<RuleAnswer>;
}

type RuleAnswer = string | ScriptedResponse;

/** The answer of the first rule that matches, or nothing. */
export async function answerByRule(
  rules: readonly ScriptedRule[],
  request: LlmRequest,
  stream: boolean,
): Promise<ScriptedResponse | undefined> {
  const said = textOfLast(request);
  for (const { when, respond } of rules) {
    // A copy, because one with the flag `g` remembers where its last match ended.
    const match = new RegExp(when).exec(said);
    if (match) return asResponse(await respond(match, request), stream);
  }
  return undefined;
}

/**
 * What rules look at: the parts of the request's last content, one a line. A text part is its text; a function response
 * is `<tool name>: <its response as JSON>`, so that a later rule can answer from what the tools gave.
 */
export function textOfLast(request: LlmRequest): string {
  const parts = readContents(request).at(-1)?.parts ?? [];
  return parts
    .flatMap(({ text, thought, functionResponse }) => {
      if (functionResponse) return `${functionResponse.name}: ${JSON.stringify(functionResponse.response)}`;
      return text !== undefined && !thought ? text : [];
    })
    .join('\n');
}

function asResponse(answer: RuleAnswer, stream: boolean): ScriptedResponse {
  if (typeof answer !== 'string') return answer;
  if (stream && answer.trim() !== '') return wordByWord(answer);
  const whole: LlmResponse = { content: { role: 'model', parts: [{ text: answer }] } };
  return whole;
}
