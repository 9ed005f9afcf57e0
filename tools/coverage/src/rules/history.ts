import { type RuleGroup } from './rule';

/** What of a session's events a model is shown, and in which form. */
export const history: RuleGroup = {
  title: 'What the model is shown',
  rules: [
    {
      number: 1,
      title: 'What was rewound is gone first',
      statement:
        'A rewind marker takes everything from the invocation it names up to itself out of sight, before any other choice is made.',
    },
    {
      number: 2,
      title: 'Which events count',
      statement:
        "Left out are events of another isolation scope or branch, of the framework's own questions and answers, and those that hold nothing but blanks or thoughts; a call, a response, code or its result always counts as content.",
    },
    {
      number: 3,
      title: 'Who sees which branch',
      statement:
        'An event is visible to its own branch and to the branches below it, compared segment by segment; siblings do not see one another, nor does a parent its children.',
    },
    {
      number: 4,
      title: 'What other agents said is told',
      statement:
        'Events of other agents become context in the role of the user: what was said, called and returned is put into words with the name of the agent, thoughts are left out unless asked for, media and code pass as they are.',
    },
    {
      number: 5,
      title: 'Own answers to calls of another agent are told too',
      statement:
        'A response that this agent gave to a call which another agent made is put into words like the call itself.',
    },
    {
      number: 6,
      title: 'A late response is moved to its call',
      statement:
        'When history ends with a response whose call lies further back, what lies between is dropped and all responses of that call become one, the later of two with the same id winning; responses without a call, or of two call events, are errors.',
    },
    {
      number: 7,
      title: 'Each call is followed by its response',
      statement:
        'Responses stand directly behind their call, only the latest of each id, those of one call event as one; everything else keeps its place.',
    },
    {
      number: 8,
      title: 'A summary stands for what it covers',
      statement:
        'Events under a compaction are replaced by its summary; a call that is answered only afterwards is shown again together with the responses it has.',
    },
    {
      number: 9,
      title: 'Ids of calls',
      statement:
        'A call without an id is given one that begins with `adk-`; Gemini is sent copies without these ids, other providers keep them, and stored events never change.',
    },
    {
      number: 10,
      title: 'Without history means this turn only',
      statement:
        'With includeContents `none` the model sees the turn from the last message of the user or of another agent on, its tool calls included; events of a transfer do not begin a turn.',
    },
    {
      number: 11,
      title: 'Neighbours of one role stay apart',
      statement: 'Two contents of one role in a row are sent as two.',
      note: 'Transcriptions, whose pieces ADK joins per speaker, come with live conversations.',
    },
    {
      number: 12,
      title: 'Where dynamic instructions and added context go',
      statement:
        'Beside a static instruction the dynamic one becomes a content before the last messages of the user, never between a call and its response; modelInputContext goes before the message and is not stored.',
    },
    {
      number: 13,
      title: 'An agent with a task begins with it',
      statement:
        'An agent called for a task or a single turn sees the arguments of that call as its first content, and only the events of its own scope, which is the id of the call.',
    },
    {
      number: 14,
      title: 'A model is always asked by a user',
      statement:
        "An empty conversation, and one that the model ended, gets a sentence of the user added at the provider's door, so that scripted models see the request without it.",
    },
  ],
};
