import { setTimeout as pause } from 'node:timers/promises';
import { calls, says, scripted } from '../_shared/script';
import { trackedTool } from '../_shared/tracked-tool';

const slowly = (name: string, forMs: number) =>
  trackedTool(name, {
    timeoutMs: 20_000,
    act: async ({ state }) => {
      await pause(forMs);
      state.set(`${name}_runs`, (state.get<number>(`${name}_runs`) ?? 0) + 1);
      return name;
    },
  });

/** Long enough in each tool to aim at: a fault can be put into the one or the other. */
export const rootAgent = scripted('slow', [says(calls('first')), says(calls('second')), says('Both done.')], {
  tools: [slowly('first', 1_000), slowly('second', 3_000)],
});
