import { rootAgentFile } from '../agent-file';
import { type ConformanceCase } from '../case';

/** Agents of every kind, alone and in small trees. */
export const agentCases: readonly ConformanceCase[] = [
  {
    name: 'answers',
    says: 'answers, and remembers what was said before (B2, B15)',
    source: rootAgentFile(`agent('root', [says('Hello.'), says('Again.')])`),
    steps: [{ say: 'hi' }, { say: 'hi again' }],
    expect: {
      turns: [['root: Hello.'], ['root: Again.']],
      asked: [['user: hi'], ['user: hi', 'model: Hello.', 'user: hi again']],
      stored: ['user: hi', 'root: Hello.', 'user: hi again', 'root: Again.'],
      state: {},
    },
  },
  {
    name: 'identity',
    says: 'tells the model which agent it is, after what its author says (B25)',
    source: rootAgentFile(`agent('clerk', [says('Yes?')], {
      description: 'Keeps the books.', instruction: 'Be brief.', generateContentConfig: { temperature: 0.5 },
    })`),
    steps: [{ say: 'hi' }],
    expect: {
      turns: [['clerk: Yes?']],
      instructions: [
        'Be brief.\n\nYou are an agent. Your internal name is "clerk". The description about you is "Keeps the books.".',
      ],
    },
  },
  {
    name: 'custom_agent',
    says: 'runs an agent that is a function (B15)',
    source: rootAgentFile(`new CustomAgent({
      name: 'greeter',
      async *run(context) {
        yield createEvent({ author: 'greeter', content: spoken('Hello ' + context.userContent.parts[0].text + '.') });
        yield createEvent({ author: 'greeter', content: spoken('Bye.'), actions: { stateDelta: { greeted: true } } });
      },
    })`),
    steps: [{ say: 'Ada' }],
    expect: {
      turns: [['greeter: Hello Ada.', 'greeter: Bye. [state {"greeted":true}]']],
      state: { greeted: true },
      asked: [],
    },
  },
  {
    name: 'base_agent_subclass',
    says: 'runs a subclass of BaseAgent, which may read the session (B15)',
    source: rootAgentFile(
      `new Counter({ name: 'counter' })`,
      `
class Counter extends BaseAgent {
  async *runAsyncImpl({ session }) {
    const said = session.events.filter(({ author }) => author === 'user').length;
    yield createEvent({ author: this.name, content: spoken('You spoke ' + said + ' times.') });
  }
}`,
    ),
    steps: [{ say: 'one' }, { say: 'two' }],
    expect: { turns: [['counter: You spoke 1 times.'], ['counter: You spoke 2 times.']] },
  },
  {
    name: 'silent_agent',
    says: 'shows nothing when an agent says nothing, and stores what the user said (B15)',
    source: rootAgentFile(`new CustomAgent({ name: 'silent', async *run() {} })`),
    steps: [{ say: 'hi' }],
    expect: { turns: [[]], stored: ['user: hi'] },
  },
  {
    name: 'custom_chooses_child',
    says: 'lets a custom agent choose whom of its sub-agents to run (B44)',
    source: rootAgentFile(
      `new CustomAgent({
        name: 'router',
        subAgents: [judge, yes, no],
        async *run(context) {
          yield* judge.runAsync(context);
          yield* (context.session.state.verdict === 'good' ? yes : no).runAsync(context);
        },
      })`,
      `
const judge = agent('judge', [says('good'), says('bad')], { outputKey: 'verdict' });
const yes = agent('yes', [says('Accepted.')]);
const no = agent('no', [says('Refused.')]);`,
    ),
    steps: [{ say: 'first' }, { say: 'second' }],
    expect: {
      turns: [
        ['judge: good [state {"verdict":"good"}]', 'yes: Accepted.'],
        ['judge: bad [state {"verdict":"bad"}]', 'no: Refused.'],
      ],
      state: { verdict: 'bad' },
    },
  },
  {
    name: 'custom_after_model',
    says: 'shows an agent what a custom agent before it said, as said by another (B4)',
    source: rootAgentFile(`new SequentialAgent({
      name: 'flow',
      subAgents: [
        new CustomAgent({
          name: 'radio',
          async *run() { yield createEvent({ author: 'radio', content: spoken('It rains.') }); },
        }),
        agent('writer', [says('Take a coat.')]),
      ],
    })`),
    steps: [{ say: 'weather?' }],
    expect: {
      turns: [['radio: It rains.', 'writer: Take a coat.']],
      asked: [['user: weather?', 'user: For context: + [radio] said: It rains.']],
    },
  },
  {
    name: 'model_of_parent',
    says: 'uses the model of the nearest agent above when an agent has none (B37)',
    source: rootAgentFile(`agent('root', undefined, {
      model: new ScriptedLlm({
        rules: [{
          when: /^/,
          respond: (_match, { origin }) =>
            origin.agentName === 'root' ? says(calls('transfer_to_agent', { agentName: 'child' })) : 'The child.',
        }],
      }),
      subAgents: [agent('child')],
    })`),
    steps: [{ say: 'go' }],
    expect: {
      turns: [
        [
          'root: transfer_to_agent({"agentName":"child"})',
          'root: transfer_to_agent -> {"result":null} [to child]',
          'child: The child.',
        ],
      ],
    },
  },
  {
    name: 'several_parts',
    says: 'keeps the parts of an answer apart, thoughts among them, and shows the model what it thought (B2)',
    source: rootAgentFile(`agent('root', [says(thinks('Hm.'), 'One. ', 'Two.'), says('Three.')])`),
    steps: [{ say: 'count' }, { say: 'go on' }],
    expect: {
      turns: [['root: (Hm.) + One.  + Two.'], ['root: Three.']],
      asked: [['user: count'], ['user: count', 'model: (Hm.) + One.  + Two.', 'user: go on']],
    },
  },
  {
    name: 'user_content',
    says: 'takes a message of several parts, files among them, as it is (B46)',
    source: rootAgentFile(`agent('root', [says('Nice.')])`),
    steps: [{ say: { parts: [{ text: 'Look:' }, { inlineData: { mimeType: 'image/png', data: 'aGk=' } }] } }],
    expect: {
      turns: [['root: Nice.']],
      asked: [['user: Look: + {"inlineData":{"data":"aGk=","mimeType":"image/png"}}']],
    },
  },
];
