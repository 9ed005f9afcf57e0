import { topFunctions } from './top-functions';

function node(id: number, functionName: string, url = '/dist/main.js') {
  return { id, callFrame: { functionName, url, lineNumber: 6 } };
}

it('shares out the time at work, not the time at rest or in the profiler, and tells functions without a name apart by their line', () => {
  const profile = {
    nodes: [
      node(1, '(idle)'),
      node(2, 'encode'),
      node(3, ''),
      node(4, 'writev', 'node:net'),
      node(5, 'encode'),
      node(6, 'dispatch', ''),
    ],
    samples: [6, 1, 2, 5, 3, 4],
    timeDeltas: [500, 900, 30, 30, 20, 20],
  };

  expect(topFunctions(profile)).toEqual({ encode: 60, 'line 7': 20, 'writev (node:net)': 20 });
});
