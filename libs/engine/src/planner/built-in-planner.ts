import { type ReadonlyContext } from '../agent/readonly-context';
import { type LlmRequest } from '../model/llm-request';
import { BasePlanner } from './base-planner';

/** How much a model thinks, in google-genai's names; adapters translate what their provider knows. */
export interface ThinkingConfig {
  readonly includeThoughts?: boolean;
  readonly thinkingBudget?: number;
  readonly [setting: string]: unknown;
}

/** Leaves thinking to the model, and says how much of it there is to be. */
export class BuiltInPlanner extends BasePlanner {
  readonly thinkingConfig: ThinkingConfig;

  constructor({ thinkingConfig }: { readonly thinkingConfig: ThinkingConfig }) {
    super();
    this.thinkingConfig = thinkingConfig;
  }

  override buildPlanningInstruction(_context: ReadonlyContext, request: LlmRequest): undefined {
    request.config.thinkingConfig = { ...this.thinkingConfig };
  }

  override processPlanningResponse(): undefined {
    // The model marks its thoughts itself.
  }
}
