import { calls, says, scripted } from '../_shared/script';
import { trackedTool } from '../_shared/tracked-tool';

/** A turn of one tool, which only reads, then one of a tool that must not run twice. */
export const rootAgent = scripted(
  'errand',
  [says(calls('fetch', { n: 1 })), says('Fetched.'), says(calls('pay', { n: 2 })), says('Paid.')],
  {
    tools: [
      trackedTool('fetch', { readOnly: true }),
      trackedTool('pay', { sideEffect: 'once', act: () => 'paid' }),
    ],
  },
);
