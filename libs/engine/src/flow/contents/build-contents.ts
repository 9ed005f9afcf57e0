import { type Content, type Event } from '@skein/contracts';
import { applyCompactions } from './apply-compactions';
import { applyRewinds } from './apply-rewinds';
import { type ContentsView } from './contents-view';
import { convertForeign } from './convert-foreign';
import { currentTurn } from './current-turn';
import { pairResponses } from './pair-responses';
import { rearrangeHistory } from './rearrange-history';
import { rearrangeLatestResponse } from './rearrange-latest-response';
import { selectEvents } from './select-events';
import { taskInput } from './task-input';

type HistoryStep = (events: readonly Event[], view: ContentsView) => readonly Event[];

/** From the stored log to the events one agent tells its model about. Each step is linear in the log. */
const steps: readonly HistoryStep[] = [
  // First, because what was taken back must not be seen by anything below, a summary of it included (B1).
  applyRewinds,
  // Before compactions: a summary counts only where it is visible, and stands only for what is visible (B2, B3).
  selectEvents,
  // Before the turn is cut: its opening may lie in a summary (B8).
  applyCompactions,
  // Before authors are rewritten, because another agent's words may open the turn (B10).
  currentTurn,
  // Before calls and responses are paired for good: another agent's are only told of (B4, B5).
  convertForeign,
];

/**
 * The conversation as an agent's model is told it, to be read only: what it holds of the stored events is theirs
 * (B9, ADR 19). Contents of one role in a row stay apart (B11).
 */
export function buildContents(events: readonly Event[], view: ContentsView): readonly Content[] {
  const history = steps.reduce((seen, step) => step(seen, view), events);
  const pairing = pairResponses(history);
  // The latest response may cut the history short, so it is looked at before the rest is put in order (B6, B7).
  const contents = rearrangeHistory(rearrangeLatestResponse(history, pairing), pairing);
  return [...taskInput(events, view), ...contents];
}
