import { type Part } from '@skein/contracts';
import { type Context } from '../agent/context';
import { type ReadonlyContext } from '../agent/readonly-context';
import { type LlmRequest } from '../model/llm-request';

/** Has an agent think before it acts. */
export abstract class BasePlanner {
  /** What the model is told about planning; a planner may also change the request itself. */
  abstract buildPlanningInstruction(context: ReadonlyContext, request: LlmRequest): string | undefined;

  /** The parts of a whole answer as they are to be stored, or nothing to leave them as they are. */
  abstract processPlanningResponse(context: Context, parts: readonly Part[]): Part[] | undefined;
}
