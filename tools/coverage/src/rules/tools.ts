import { type RuleGroup } from './rule';

/** From a call to its response, and the tools that ADK brings along. */
export const tools: RuleGroup = {
  title: 'Tools',
  rules: [
    {
      number: 26,
      title: 'Calls of one turn run at once',
      statement:
        'They are answered in the order of the calls; where errors are raised, one that throws cancels the others and no response is stored.',
    },
    {
      number: 27,
      title: 'The hooks of one call',
      statement:
        'Before, tool, on error, after, at each place plugins first: an answer given before, an empty object included, skips the tool but not what comes after; arguments changed on the way are those of the execution, not of the stored call.',
    },
    {
      number: 28,
      title: 'A tool nobody knows',
      statement:
        'A call of an unknown tool goes through the error hooks; unanswered it is told to the model, or fails the run where errors are raised.',
    },
    {
      number: 29,
      title: 'What becomes of a result',
      statement:
        'What is no object is wrapped as `result`, nothing as null; a long-running tool that returns nothing has no response, so the run stops at its call.',
    },
    {
      number: 30,
      title: 'A result shown as it is',
      statement:
        'When no summary is wanted the result is also a text of the response event, unless it is an error or nothing.',
    },
    {
      number: 31,
      title: 'One event answers a round',
      statement:
        'Parts in the order of the calls, maps of actions merged, of single values the later, of artifact versions the highest.',
    },
    {
      number: 32,
      title: 'Missing arguments',
      statement:
        'A call without its mandatory arguments does not reach the tool; the model is told which are missing, before anybody is asked to confirm.',
    },
    {
      number: 33,
      title: 'A call that somebody has to confirm',
      statement:
        'The first pass answers with an error and asks through a long-running call; after the answer the stored call is run again under its own id, in the same invocation, once, with the arguments that were asked about.',
    },
    {
      number: 34,
      title: 'A tool that asks for itself',
      statement: 'A tool which requests confirmation on its own lets the model speak once more in that turn.',
    },
    {
      number: 35,
      title: 'Credentials are asked for',
      statement:
        'A tool that lacks a credential asks through a long-running call; the answer is kept and the waiting calls are run again, those unanswered stay; a toolset that lacks one ends the invocation before the model is called.',
    },
    {
      number: 36,
      title: 'An agent as a tool',
      statement:
        "It runs in a session of its own under the parent's app, with its state and plugins; its changes of state and artifacts come back to the call, its result is the text of its last content, or the object its schema demands.",
    },
    {
      number: 37,
      title: 'Transfer to another agent',
      statement:
        'Allowed are sub-agents, the parent and peers unless forbidden; a transfer to oneself, to somebody unrelated or unknown is an error; the model is told the targets by name and description.',
    },
    {
      number: 38,
      title: 'A structured answer beside tools',
      statement:
        'With tools the schema becomes the tool set_model_response; what it is called with becomes the final text of the model.',
    },
    {
      number: 39,
      title: 'Leaving a loop',
      statement: 'exit_loop escalates, wants no summary and answers null without a text.',
    },
  ],
};
