import { type RuleGroup } from './rule';

/** One run from the message to the end of its stream, and what may be done to it later. */
export const running: RuleGroup = {
  title: 'Runs',
  rules: [
    {
      number: 46,
      title: 'What a user may send',
      statement:
        "A missing role is the user's; refused are messages without parts, with a function call, and with responses beside text.",
    },
    {
      number: 47,
      title: 'A response goes on with the run of its call',
      statement:
        'It joins the invocation and the branch of its call; a response to nothing, and one to two invocations, is an error.',
    },
    {
      number: 48,
      title: 'The message before it is stored',
      statement:
        'A plugin may replace it; the state and the metadata that came with the run ride on its event.',
    },
    {
      number: 49,
      title: 'Who answers the next turn',
      statement:
        'The agent whose call was answered; else the last one that spoke, if a transfer from it up to the root is allowed; else the root.',
    },
    {
      number: 50,
      title: 'Events pass the plugins first',
      statement: 'What a plugin changes of an event is both shown and stored; id, invocation and time stay.',
    },
    {
      number: 51,
      title: 'A plugin may answer in place of the run',
      statement: 'What it gives before the run becomes the only event.',
    },
    {
      number: 52,
      title: 'After the run',
      statement:
        'Plugins are told of the end, and history is compacted, after success only and before the stream ends; of a failure they are only told.',
    },
    {
      number: 53,
      title: 'Plugins that fail',
      statement:
        'The error names the plugin and the hook; two plugins of one name are refused; closing waits a bounded time.',
    },
    {
      number: 54,
      title: 'Runs that can be resumed',
      statement:
        'A run pauses at an unanswered long-running call; resumed, it executes a stored call without asking the model, passes by agents that are done, and goes on where each noted that it stood.',
    },
    {
      number: 55,
      title: 'Rewind',
      statement:
        "An event is added that undoes the session's state, keys of later as null, and saves artifacts again as they were; `app:` and `user:` stay, and so do their artifacts.",
    },
  ],
};
