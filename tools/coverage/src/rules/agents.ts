import { type RuleGroup } from './rule';

/** The kinds of agents, their tree and what they leave in state. */
export const agents: RuleGroup = {
  title: 'Agents',
  rules: [
    {
      number: 40,
      title: 'Callbacks around an agent',
      statement:
        'A content given before makes one event and skips this agent and what comes after it, not its siblings; state alone makes an event without content; a content given after is one more event.',
    },
    {
      number: 41,
      title: 'Sequence',
      statement: 'All sub-agents run, one after another; escalation does not end the row, a pause does.',
    },
    {
      number: 42,
      title: 'Loop',
      statement:
        'An escalation ends the loop and those around it once the sub-agent has said the rest; each round begins afresh; without a bound, or with 0, there is none.',
    },
    {
      number: 43,
      title: 'Side by side',
      statement:
        "Each sub-agent has a branch of its own below its parent's and goes on only after its last event was stored; one that fails ends the others.",
    },
    {
      number: 44,
      title: 'What an agent leaves under its outputKey',
      statement:
        'All whole texts of the agent in this run, thoughts left out, joined as they came; with an output schema the parsed value of the last; nothing from events without text or of others; also what was given in place of the agent.',
    },
    {
      number: 45,
      title: 'Names and the tree',
      statement:
        "Agents are named like identifiers, never `user`, once in a tree, with one parent; an app's name begins with a letter.",
    },
  ],
};
