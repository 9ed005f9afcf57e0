import { type ConfigError, type ConfigProblem, loadConfig } from '@skein/platform';
import { toolWorkerConfig } from './config';

function poolsOf(TOOL_POOLS: string): readonly string[] {
  return loadConfig(toolWorkerConfig, { TOOL_POOLS }).TOOL_POOLS;
}

function problemsOf(pools: string): readonly ConfigProblem[] {
  try {
    poolsOf(pools);
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
}

describe('the pools of a tool worker', () => {
  it('are names with commas between them, each once', () => {
    expect(poolsOf('default, gpu-2,default')).toEqual(['default', 'gpu-2']);
  });

  it.each(['a.b,*', 'default,*', 'gpu_large', 'bad name', '>'])(
    'are refused at the start, by the name of the setting, where one is no name of a pool: %s',
    (pools) => {
      const problems = problemsOf(pools);

      expect(problems).not.toEqual([]);
      for (const { name, reason } of problems) {
        expect(name).toBe('TOOL_POOLS');
        expect(reason).toMatch(/^"\S+.*" is no name of a pool: it must be 1 to 128 letters, digits and "-"$/);
      }
    },
  );
});
