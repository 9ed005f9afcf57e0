import { type CompatCase } from '../case';
import { agentCases } from './agents.cases';
import { hookCases } from './hooks.cases';
import { instructionCases } from './instructions.cases';
import { modelCases } from './models.cases';
import { toolCases } from './tools.cases';
import { waitingCases } from './waiting.cases';

export const cases: readonly CompatCase[] = [
  ...modelCases,
  ...instructionCases,
  ...toolCases,
  ...waitingCases,
  ...agentCases,
  ...hookCases,
];
