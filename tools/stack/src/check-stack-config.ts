import type { ConfigProblem } from '@skein/platform';
import { findNatsServer } from './find-nats-server';
import { whyNotListening } from './free-port';
import { readBinaryLocations, readStackConfig, type StackConfig } from './stack-config';
import { errorMessage } from './read-error';

/** As readStackConfig; what takes trying out, HOST and NATS_SERVER_BIN, is tried out too and in the same list. */
export async function checkStackConfig(
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<StackConfig> {
  const problems = await Promise.all([hostProblem(env), natsServerProblem(env)]);
  return readStackConfig(
    args,
    env,
    problems.filter((problem) => problem !== undefined),
  );
}

async function hostProblem({ HOST: host }: NodeJS.ProcessEnv): Promise<ConfigProblem | undefined> {
  if (!host) return undefined;
  const why = await whyNotListening(host);
  return why === undefined
    ? undefined
    : { name: 'HOST', reason: `${host} is no address of this machine (${why})` };
}

/** Without the variable, looking for a server may take a download: that is left to the start. */
async function natsServerProblem(env: NodeJS.ProcessEnv): Promise<ConfigProblem | undefined> {
  const locations = readBinaryLocations(env);
  if (env.NATS_URL || locations.natsServerBin === undefined) return undefined;
  try {
    await findNatsServer(locations);
    return undefined;
  } catch (error) {
    return { name: 'NATS_SERVER_BIN', reason: errorMessage(error).replace(/^NATS_SERVER_BIN: /, '') };
  }
}
