import { type ConformanceCase } from '../case';
import { agentToolCases } from './agent-tool.cases';
import { agentCases } from './agents.cases';
import { artifactCases } from './artifacts.cases';
import { authCases } from './auth.cases';
import { badInputCases } from './bad-input.cases';
import { builtInPluginCases } from './built-in-plugins.cases';
import { callIdCases } from './call-ids.cases';
import { callbackCases } from './callbacks.cases';
import { compactionCases } from './compaction.cases';
import { confirmationCases } from './confirmation.cases';
import { contentsCases } from './contents.cases';
import { errorCases } from './errors.cases';
import { instructionCases } from './instructions.cases';
import { longRunningCases } from './long-running.cases';
import { memoryCases } from './memory.cases';
import { outputCases } from './output.cases';
import { parallelCases } from './parallel.cases';
import { plannerAndCodeCases } from './planners-and-code.cases';
import { pluginCases } from './plugins.cases';
import { resumabilityCases } from './resumability.cases';
import { rewindCases } from './rewind.cases';
import { routedCases } from './routed.cases';
import { runConfigCases } from './run-config.cases';
import { sequentialAndLoopCases } from './sequential-and-loop.cases';
import { stateCases } from './state.cases';
import { streamingCases } from './streaming.cases';
import { toolCases } from './tools.cases';
import { toolsetCases } from './toolsets.cases';
import { transferCases } from './transfer.cases';
import { transferRefusedCases } from './transfer-refused.cases';

/** Every case, group by group. */
export const cases: readonly ConformanceCase[] = [
  ...agentCases,
  ...transferCases,
  ...transferRefusedCases,
  ...sequentialAndLoopCases,
  ...parallelCases,
  ...routedCases,
  ...callbackCases,
  ...pluginCases,
  ...builtInPluginCases,
  ...stateCases,
  ...instructionCases,
  ...contentsCases,
  ...callIdCases,
  ...toolCases,
  ...toolsetCases,
  ...agentToolCases,
  ...confirmationCases,
  ...authCases,
  ...longRunningCases,
  ...outputCases,
  ...streamingCases,
  ...artifactCases,
  ...memoryCases,
  ...plannerAndCodeCases,
  ...compactionCases,
  ...rewindCases,
  ...resumabilityCases,
  ...runConfigCases,
  ...errorCases,
  ...badInputCases,
];
