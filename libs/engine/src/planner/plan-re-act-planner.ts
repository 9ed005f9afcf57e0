import { type Content, type Part } from '@skein/contracts';
import { type Context } from '../agent/context';
import { type ReadonlyContext } from '../agent/readonly-context';
import { type LlmRequest } from '../model/llm-request';
import { readContents, shareContents } from '../model/shared-contents';
import { BasePlanner } from './base-planner';

const PLANNING = '/*PLANNING*/';
const REPLANNING = '/*REPLANNING*/';
const REASONING = '/*REASONING*/';
const ACTION = '/*ACTION*/';
const FINAL_ANSWER = '/*FINAL_ANSWER*/';

const THOUGHT_TAGS = [PLANNING, REPLANNING, REASONING, ACTION];

const INSTRUCTION = `Work in three stages, and begin what belongs to each with its tag.

1. ${PLANNING} First write a plan: numbered steps that lead to a full answer, each doable with the tools you have. \
When a result shows that the plan fails, write a better one under ${REPLANNING} and follow that.
2. ${ACTION} Then carry the plan out by calling tools. Call only tools that were named to you, with only the arguments \
they declare. Between calls, under ${REASONING}, sum up what is known by now and what has to come next.
3. ${FINAL_ANSWER} Then answer, once, in the form that was asked for. If the tools and what you know do not suffice, say \
why, and ask for what is missing.

Prefer what a tool tells you to what you remember, and what the conversation holds already to calling a tool again. \
When the question is unclear, ask.`;

/** Has any model plan, act and reason by its instruction; only the final answer is speech, the rest is thought. */
export class PlanReActPlanner extends BasePlanner {
  override buildPlanningInstruction(_context: ReadonlyContext, request: LlmRequest): string {
    // Its own earlier plan is what the model goes on from, and providers do not show a model its thoughts.
    shareContents(request, readContents(request).map(withoutThoughtMarks));
    return INSTRUCTION;
  }

  /** Thoughts marked, and after the first calls nothing: it was written without knowing what they give. */
  override processPlanningResponse(_context: Context, parts: readonly Part[]): Part[] | undefined {
    if (parts.length === 0) return undefined;
    const kept = untilFirstCallsEnd(parts.filter(({ functionCall }) => functionCall?.name !== ''));
    const answer = kept.findLastIndex(({ text }) => text?.includes(FINAL_ANSWER));
    return kept.flatMap((part, index) => {
      if (part.text === undefined || index > answer) return [markedByTag(part, answer >= 0)];
      return index < answer ? [asThought(part)] : split(part);
    });
  }
}

function withoutThoughtMarks(content: Content): Content {
  const parts = content.parts?.map(({ thought: _thought, ...part }) => part);
  return parts ? { ...content, parts } : content;
}

function untilFirstCallsEnd(parts: readonly Part[]): readonly Part[] {
  const first = parts.findIndex(({ functionCall }) => functionCall);
  if (first < 0) return parts;
  const behind = parts.findIndex(({ functionCall }, index) => index > first && !functionCall);
  return behind < 0 ? parts : parts.slice(0, behind);
}

/** Without a final answer only what is tagged is thought: a model that keeps to no stages is still to be heard. */
function markedByTag(part: Part, isAfterAnswer: boolean): Part {
  const isThought = !isAfterAnswer && THOUGHT_TAGS.some((tag) => part.text?.startsWith(tag));
  return isThought ? asThought(part) : part;
}

function asThought(part: Part): Part {
  const tag = THOUGHT_TAGS.find((candidate) => part.text?.startsWith(candidate)) ?? '';
  return { ...part, text: part.text?.slice(tag.length) ?? '', thought: true };
}

/** What stands behind the last tag is the answer, all before it led there. */
function split(part: Part): Part[] {
  const text = part.text ?? '';
  const at = text.lastIndexOf(FINAL_ANSWER);
  const before = text.slice(0, at);
  const answer = text.slice(at + FINAL_ANSWER.length);
  return [
    ...(before.trim() ? [asThought({ text: before })] : []),
    ...(answer.trim() ? [{ ...part, text: answer }] : []),
  ];
}
