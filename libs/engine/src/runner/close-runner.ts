import { walkAgents } from '../agent/agent-tree';
import { isLlmAgent } from '../agent/is-llm-agent';
import { type RunnableApp } from '../app/app';
import { describeError } from '../error/describe-error';
import { PluginManager } from '../plugin/plugin-manager';
import { warn } from '../telemetry/warn';
import { isBaseToolset } from '../tool/base-toolset';

/** Closes what an app's plugins and toolsets hold, each once; failures are told, and keep nothing else open. */
export async function closeRunner({ rootAgent, plugins }: RunnableApp): Promise<void> {
  const agents = [...walkAgents(rootAgent)].filter(isLlmAgent);
  const toolsets = new Set(agents.flatMap(({ tools }) => tools.filter(isBaseToolset)));
  const closed = await Promise.allSettled([...toolsets].map((toolset) => toolset.close()));
  const failures = closed.flatMap((outcome) =>
    outcome.status === 'rejected' ? [describeError(outcome.reason)] : [],
  );
  failures.push(...(await new PluginManager(plugins).close()).map(describeError));
  for (const reason of failures) warn('something could not be closed', { reason });
}
