import { calls, says, scripted } from '../_shared/script';
import { trackedTool } from '../_shared/tracked-tool';

/** Several calls at the same time, one of which must not run twice. */
export const rootAgent = scripted(
  'fan',
  [
    says('I look.', calls('left', { n: 1 }), calls('right', { n: 2 }), calls('mark', { n: 3 })),
    says(calls('left', { n: 4 }), calls('right', { n: 5 })),
    says('Both looked at.'),
  ],
  {
    tools: [
      trackedTool('left'),
      trackedTool('right'),
      trackedTool('mark', { sideEffect: 'once', act: () => 'marked' }),
    ],
  },
);
