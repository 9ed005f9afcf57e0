import { appFile, rootAgentFile } from '../agent-file';
import { type ConformanceCase } from '../case';

const RESUMABLE = 'resumabilityConfig: { isResumable: true }';

/** An agent that fails until state says it may go on, and one that waits for its user. */
const PARTS = `
const flaky = (name, responses) => agent(name, responses, {
  beforeModelCallback: ({ context }) => { if (!context.state.get('mended')) throw new Error('not yet'); },
});
const waits = new LongRunningFunctionTool({ name: 'wait', description: 'Waits.', execute: () => null });`;

/** Apps whose invocations go on where they stood. */
export const resumabilityCases: readonly ConformanceCase[] = [
  {
    name: 'resumable_events',
    says: 'notes in a resumable app where its agents stand and when they are done (B41, B54)',
    source: appFile(
      `rootAgent: new SequentialAgent({ name: 'flow', subAgents: [agent('one', [says('1')]), agent('two', [says('2')])] }), ${RESUMABLE}`,
    ),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'flow: [stands at {"currentSubAgent":"one"}]',
          'one: 1',
          'one: [ends]',
          'flow: [stands at {"currentSubAgent":"two"}]',
          'two: 2',
          'two: [ends]',
          'flow: [ends]',
        ],
      ],
    },
  },
  {
    name: 'resume_failed',
    says: 'goes on with a failed invocation at the agent that failed, and runs none again that was done (B54)',
    source: appFile(
      `rootAgent: new SequentialAgent({
         name: 'flow', subAgents: [agent('one', [says('1'), says('never')]), flaky('two', [says('2')]), agent('three', [says('3')])],
       }), ${RESUMABLE}`,
      PARTS,
    ),
    steps: [{ say: 'go' }, { patch: { mended: true } }, { resume: 0 }],
    expect: {
      turns: [
        ['failed Error: not yet'],
        [
          'flow: [stands at {"currentSubAgent":"two"}]',
          'two: 2',
          'two: [ends]',
          'flow: [stands at {"currentSubAgent":"three"}]',
          'three: 3',
          'three: [ends]',
          'flow: [ends]',
        ],
      ],
      asked: [
        ['user: go'],
        ['user: go', 'user: For context: + [one] said: 1'],
        ['user: go', 'user: For context: + [one] said: 1', 'user: For context: + [two] said: 2'],
      ],
    },
  },
  {
    name: 'resume_loop',
    says: 'goes on with a loop in the turn and at the agent where it failed (B42, B54)',
    source: appFile(
      `rootAgent: new LoopAgent({
         name: 'loop', maxIterations: 2,
         subAgents: [agent('one', [says('1'), says('1b')]), fails],
       }), ${RESUMABLE}`,
      `
const fails = new CustomAgent({
  name: 'fails',
  async *run({ session }) {
    const passed = session.events.filter(({ author, content }) => author === 'fails' && content).length;
    if (passed === 1 && !session.state.mended) throw new Error('not yet');
    yield createEvent({ author: 'fails', content: spoken('passed ' + passed) });
  },
});`,
    ),
    steps: [{ say: 'go' }, { patch: { mended: true } }, { resume: 0 }],
    expect: {
      turns: [
        ['failed Error: not yet'],
        ['loop: [stands at {"timesLooped":1,"currentSubAgent":"fails"}]', 'fails: passed 1', 'loop: [ends]'],
      ],
    },
  },
  {
    name: 'pause_and_answer',
    says: 'pauses a sequence at a call that waits, and goes on behind it when that is answered (B41, B47, B54)',
    source: appFile(
      `rootAgent: new SequentialAgent({
         name: 'flow',
         subAgents: [agent('asker', [says(calls('wait')), says('Thanks.')], { tools: [waits] }), agent('last', [says('All done.')])],
       }), ${RESUMABLE}`,
      PARTS,
    ),
    steps: [{ say: 'go' }, { answer: { call: 'wait', response: { done: true } } }],
    expect: {
      turns: [
        ['flow: [stands at {"currentSubAgent":"asker"}]', 'asker: wait({}) [waits]'],
        [
          'flow: [stands at {"currentSubAgent":"asker"}]',
          'asker: Thanks.',
          'asker: [ends]',
          'flow: [stands at {"currentSubAgent":"last"}]',
          'last: All done.',
          'last: [ends]',
          'flow: [ends]',
        ],
      ],
    },
  },
  {
    name: 'no_pause',
    says: 'does not pause a sequence at a call that waits where the app is not resumable (B41, B49)',
    source: rootAgentFile(
      `new SequentialAgent({
        name: 'flow',
        subAgents: [agent('asker', [says(calls('wait')), says('Thanks.')], { tools: [waits] }), agent('last', [says('All done.')])],
      })`,
      PARTS,
    ),
    steps: [{ say: 'go' }, { answer: { call: 'wait', response: { done: true } } }],
    expect: { turns: [['asker: wait({}) [waits]', 'last: All done.'], ['asker: Thanks.']] },
  },
  {
    name: 'pause_in_parallel',
    says: 'pauses one branch, lets the others end, and runs only the paused one when its call is answered (B43, B54)',
    unordered: true,
    source: appFile(
      `rootAgent: new ParallelAgent({
         name: 'fan',
         subAgents: [agent('asker', [says(calls('wait')), says('Thanks.')], { tools: [waits] }), agent('other', [says('Other.'), says('never')])],
       }), ${RESUMABLE}`,
      PARTS,
    ),
    steps: [{ say: 'go' }, { answer: { call: 'wait', response: { done: true } } }],
    expect: {
      turns: [
        ['asker@fan.asker: wait({}) [waits]', 'other@fan.other: Other.', 'other@fan.other: [ends]'],
        ['fan: [ends]', 'asker@fan.asker: Thanks.', 'asker@fan.asker: [ends]'],
      ],
    },
  },
  {
    name: 'pause_for_confirmation',
    says: 'pauses at a call that somebody has to allow, and runs it when he does (B33, B54)',
    source: appFile(
      `rootAgent: agent('root', [says(calls('pay', {}, 'c1')), says('Done.')], {
         tools: [tool('pay', () => 'paid', { requireConfirmation: true })],
       }), ${RESUMABLE}`,
    ),
    steps: [{ say: 'go' }, { answer: { call: 'adk_request_confirmation', response: { confirmed: true } } }],
    expect: {
      turns: [
        [
          'root: pay({})',
          'root: adk_request_confirmation({"toolConfirmation":{"hint":"Please approve or reject the tool call pay() by responding with a FunctionResponse with an expected ToolConfirmation payload.","confirmed":false},"originalFunctionCall":{"id":"c1","args":{},"name":"pay"}}) [waits]',
          'root: pay -> {"error":"This tool call requires confirmation, please approve or reject."} [as it is]',
        ],
        ['root: pay -> {"result":"paid"}', 'root: Done.', 'root: [ends]'],
      ],
    },
  },
  {
    name: 'resume_done',
    says: 'says nothing more when an invocation that is done is told to go on (B54)',
    source: appFile(`rootAgent: agent('root', [says('Hello.'), says('never')]), ${RESUMABLE}`),
    steps: [{ say: 'go' }, { resume: 0 }],
    expect: { turns: [['root: Hello.', 'root: [ends]'], []], asked: [['user: go']] },
  },
  {
    name: 'resume_not_resumable',
    says: 'refuses to go on without a message where the app is not resumable (B54)',
    source: rootAgentFile(`agent('root', [says('Hello.'), says('never')])`),
    steps: [{ say: 'go' }, { resume: 0 }],
    expect: {
      turns: [
        ['root: Hello.'],
        ['failed run.not-resumable: Only a resumable app goes on without a new message.'],
      ],
      stored: ['user: go', 'root: Hello.'],
    },
  },
  {
    name: 'resume_unknown',
    says: 'refuses to go on with an invocation nobody knows (B54)',
    source: appFile(`rootAgent: agent('root', [says('Hello.')]), ${RESUMABLE}`),
    steps: [{ resume: 0 }, { say: 'hi' }],
    expect: {
      turns: [
        ['failed invocation.not-found: Invocation not found: e-unknown'],
        ['root: Hello.', 'root: [ends]'],
      ],
    },
  },
];
