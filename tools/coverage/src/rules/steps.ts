import { type RuleGroup } from './rule';

/** The loop of model calls and tool rounds of one agent. */
export const steps: RuleGroup = {
  title: 'Steps of an agent',
  rules: [
    {
      number: 15,
      title: 'When the loop ends',
      statement:
        'An agent goes on step by step until a step makes no event, or its last event is final or partial.',
    },
    {
      number: 16,
      title: 'What is final',
      statement:
        'An event is final when its tool wants no summary or it holds a long-running call; else when it has neither calls nor responses, is whole, and does not end with the result of executed code.',
    },
    {
      number: 17,
      title: 'Pieces share the id of their whole',
      statement:
        'All partial events of one model call and the event they add up to have one id; the next call has another.',
    },
    {
      number: 18,
      title: 'Empty answers',
      statement:
        'An unstreamed answer that stops without content is the error MODEL_RETURNED_NO_CONTENT; an answer without anything to show makes no event.',
    },
    {
      number: 19,
      title: 'Partial events are only shown',
      statement: 'A partial event has no tool called and is never stored.',
    },
    {
      number: 20,
      title: 'The order behind a round of tools',
      statement:
        'First the request for credentials, then the request for confirmation, then the responses; behind them the text of a structured answer, then the agent transferred to. A request for credentials also ends the invocation.',
    },
    {
      number: 21,
      title: 'Callbacks around the model',
      statement:
        "Plugins are asked before the agent's own callbacks and the first answer counts; one before the model stands for its answer and skips what comes after the model, the state it sets rides on the model's event, and what comes after the model sees every piece.",
    },
    {
      number: 22,
      title: 'The bound of model calls',
      statement:
        'maxLlmCalls N allows N calls of all agents of an invocation together and refuses the next; zero and less is no bound.',
    },
    {
      number: 23,
      title: 'A model that fails',
      statement:
        'Plugins, then the agent, may answer in its place; otherwise the error is stored as an event with its code and message, and then thrown.',
    },
    {
      number: 24,
      title: 'The order of the processors',
      statement:
        'A request is built by a fixed row of processors, from basic settings to agent transfer, and then by the tools one after another, although toolsets are resolved at once.',
    },
    {
      number: 25,
      title: 'Who the agent is',
      statement:
        'The system instruction tells the agent its name and its description; its pieces are parted by blank lines.',
    },
  ],
};
