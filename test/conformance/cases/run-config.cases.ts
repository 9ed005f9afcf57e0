import { appFile } from '../agent-file';
import { type ConformanceCase } from '../case';

/** How every run of an app behaves, where the run itself does not say. */
export const runConfigCases: readonly ConformanceCase[] = [
  {
    name: 'run_config_calls',
    says: 'allows as many model calls as the app says, over all its agents, and fails with one more (B22)',
    source: appFile(
      `rootAgent: agent('root', [says(calls('transfer_to_agent', { agentName: 'child' }))], {
        subAgents: [agent('child', [says(calls('f')), says('Never said.')], { tools: [tool('f', () => 1)] })],
      }),
      runConfig: { maxLlmCalls: 2 }`,
    ),
    steps: [{ say: 'go' }],
    expect: {
      turns: [['failed LlmCallsLimitExceededError: Max number of llm calls limit of `2` exceeded']],
      stored: [
        'user: go',
        'root: transfer_to_agent({"agentName":"child"})',
        'root: transfer_to_agent -> {"result":null} [to child]',
        'child: f({})',
        'child: f -> {"result":1}',
        'child: [error LlmCallsLimitExceededError]',
      ],
    },
  },
  {
    name: 'run_config_files',
    says: 'keeps the files of a message as artifacts when the app says so, with a note in their place (B48, B60)',
    source: appFile(
      `rootAgent: agent('root', [says('Seen.')]), runConfig: { saveInputBlobsAsArtifacts: true }`,
    ),
    steps: [
      {
        say: {
          role: 'user',
          parts: [
            { text: 'look' },
            { inlineData: { data: 'aGk=', mimeType: 'text/plain', displayName: 'note.txt' } },
          ],
        },
      },
    ],
    expect: { turns: [['root: Seen.']] },
  },
  {
    name: 'run_config_context',
    says: 'shows the model what the app knows before the message of the user, and stores nothing of it (B12)',
    source: appFile(
      `rootAgent: agent('root', [says('Rainy.')]),
      runConfig: { modelInputContext: [{ role: 'user', parts: [{ text: 'It rains.' }] }] }`,
    ),
    steps: [{ say: 'weather?' }],
    expect: {
      turns: [['root: Rainy.']],
      asked: [['user: It rains.', 'user: weather?']],
      stored: ['user: weather?', 'root: Rainy.'],
    },
  },
];
