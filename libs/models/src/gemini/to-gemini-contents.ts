import { type Content, type FunctionCall, type FunctionResponse, type Part } from '@skein/contracts';
import { ownParts } from '../request/part-origin';
import { unsupportedPart } from '../request/unsupported-part';
import { withStandIns } from '../request/with-stand-ins';
import { withUserLast } from '../request/with-user-last';
import { holdsSomething, isSent, type PartTarget, toGeminiPart } from './to-gemini-part';
import { untakenIn } from './untaken-part';

/**
 * A conversation by the API's rules: no content is empty, the user speaks last (B14) and before any call, and behind the
 * calls of a turn stand their responses, as many and alone. The contents are left as they are; neighbours of the model's
 * are one content here alone (B11). Throws `model.unsupported-part` for a part of the user's last message that the API has
 * no form for; elsewhere a text stands for it.
 */
export function toGeminiContents(contents: readonly Content[], target: PartTarget): Content[] {
  const told = withUserLast(roundsOf(withStandIns(contents, assertTaken)).flatMap(contentsOf));
  const [first] = told;
  const opening = first?.role === 'model' && first.parts?.some(isCall) ? withUserLast([]) : [];
  return [...opening, ...told].map(({ role = 'user', parts = [] }) => ({
    role,
    parts: parts.map((part) => toGeminiPart(part, target)),
  }));
}

/** What the model said in one go, and what the user said behind it, content by content. */
interface Round {
  readonly said: Part[];
  readonly users: Part[][];
}

function roundsOf(contents: readonly Content[]): Round[] {
  const rounds: Round[] = [];
  for (const { role, parts: all = [] } of contents) {
    // Where no text stands for it, what the API has no form for was said last.
    for (const part of all) assertTaken(part);
    const parts = ownParts(all, 'gemini').flatMap(withTextsBeside).filter(isSent);
    if (!parts.some(holdsSomething)) continue;
    const isModels = role === 'model';
    let round = rounds.at(-1);
    if (!round || (isModels && round.users.length > 0)) rounds.push((round = { said: [], users: [] }));
    if (isModels) round.said.push(...parts);
    else round.users.push(parts.filter(({ thought }) => !thought));
  }
  return rounds;
}

function assertTaken(part: Part): void {
  const untaken = untakenIn(part);
  if (untaken !== undefined) throw unsupportedPart('Gemini', untaken.replace(/^an? /, ''));
}

/** The parts of a response are media alone: texts among them are said beside it. */
function withTextsBeside(part: Part): Part[] {
  const { functionResponse: response } = part;
  if (!response || !Array.isArray(response.parts)) return [part];
  const { parts, ...rest } = response as FunctionResponse & { parts: Part[] };
  const media = parts.filter(({ text }) => text === undefined);
  const own = { ...rest, ...(media.length > 0 ? { parts: media } : {}) };
  return [{ ...part, functionResponse: own }, ...parts.filter(({ text }) => text !== undefined)];
}

function contentsOf({ said, users }: Round): Content[] {
  const calls = said.flatMap(({ functionCall }) => functionCall ?? []);
  const left = users.flat().flatMap(({ functionResponse }) => functionResponse ?? []);
  const responses = calls.map((call): Part => ({
    functionResponse: takeResponse(left, call) ?? noneTo(call),
  }));
  const model = said.map((part) => (part.functionResponse ? told(part.functionResponse) : part));
  const words = users.map((parts) => parts.flatMap((part) => wordsOf(part, left)));
  return [
    { role: 'model', parts: model },
    { role: 'user', parts: responses },
    ...words.map((parts) => ({ role: 'user', parts })),
  ].filter(({ parts }) => parts.length > 0);
}

function isCall({ functionCall }: Part): boolean {
  return functionCall !== undefined;
}

/** The response to a call, taken from what is left; where ids repeat or miss, the name and the order tell. */
function takeResponse(left: FunctionResponse[], { id, name }: FunctionCall): FunctionResponse | undefined {
  const ofId = left.filter((response) => response.id === id);
  const found = ofId.find((response) => response.name === name) ?? ofId[0];
  if (found) left.splice(left.indexOf(found), 1);
  // The API matches by name where there is no id.
  return found && { ...found, name };
}

/** Of a tool that takes long, or of a run that was cut. */
function noneTo({ id, name }: FunctionCall): FunctionResponse {
  return { ...(id === undefined ? {} : { id }), name, response: { status: 'There is no result yet.' } };
}

/** What of a user's part is no response to a call that was made. */
function wordsOf(part: Part, left: readonly FunctionResponse[]): Part[] {
  const { functionCall: call, functionResponse: response } = part;
  if (call) return [{ text: `Called ${call.name} with ${JSON.stringify(call.args ?? {})}` }];
  if (response) return left.includes(response) ? [told(response)] : [];
  return [part];
}

/** A response to a call that the conversation no longer holds. */
function told({ name, response }: FunctionResponse): Part {
  return { text: `Result of ${name}: ${JSON.stringify(response ?? {})}` };
}
