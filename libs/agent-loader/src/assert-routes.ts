import { AdkError } from '@skein/contracts';
import { type BaseAgent, describeError, isLlmAgent, walkAgents } from '@skein/engine';
import { RoutedLlm } from '@skein/models';

/** Throws `model.route-cycle` when the models of an agent below the root lead back to themselves. */
export function assertRoutes(root: BaseAgent): void {
  for (const agent of walkAgents(root)) {
    if (!isLlmAgent(agent) || !(agent.model instanceof RoutedLlm)) continue;
    try {
      agent.model.assertNoCycle();
    } catch (cause) {
      const message = `Agent "${agent.name}": ${describeError(cause)}`;
      throw new AdkError('invalid', 'model.route-cycle', message, { cause });
    }
  }
}
