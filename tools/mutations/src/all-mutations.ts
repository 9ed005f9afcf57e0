import { type Mutation } from './mutation';
import { agentMutations } from './mutations/agents';
import { historyMutations } from './mutations/history';
import { modelMutations } from './mutations/models';
import { questionMutations } from './mutations/questions';
import { replayMutations } from './mutations/replay';
import { runMutations } from './mutations/runs';
import { serviceMutations } from './mutations/services';
import { stepMutations } from './mutations/steps';
import { toolMutations } from './mutations/tools';

/** By the part of the product that they break. */
export const allMutations: readonly Mutation[] = [
  ...historyMutations,
  ...stepMutations,
  ...toolMutations,
  ...questionMutations,
  ...agentMutations,
  ...runMutations,
  ...replayMutations,
  ...serviceMutations,
  ...modelMutations,
];
