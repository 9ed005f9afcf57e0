import { type RunnableApp } from '../app/app';
import { describeError } from '../error/describe-error';
import { PluginManager } from '../plugin/plugin-manager';
import { warn } from '../telemetry/warn';
import { closeToolsets } from '../tool/close-toolsets';

/** Closes what an app's plugins and toolsets hold, each once; failures are told, and keep nothing else open. */
export async function closeRunner({ rootAgent, plugins }: RunnableApp): Promise<void> {
  const failures = await closeToolsets(rootAgent);
  failures.push(...(await new PluginManager(plugins).close()).map(describeError));
  for (const reason of failures) warn('something could not be closed', { reason });
}
