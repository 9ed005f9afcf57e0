import { type RuleGroup } from './rule';

/** State, sessions, artifacts, memory, traces, and what is durable before what goes on. */
export const services: RuleGroup = {
  title: 'State and services',
  rules: [
    {
      number: 56,
      title: 'temp: lasts as long as the invocation',
      statement: 'Later steps and agents of the invocation read it; it is never stored with the session.',
    },
    {
      number: 57,
      title: 'State is kept by scope',
      statement:
        'Keys are sorted by prefix, stored without it, and read back with it; the state given at creation too.',
    },
    {
      number: 58,
      title: 'Sessions in a database',
      statement:
        'Only the scopes that change are locked, a stale writer is refused, and events have a number of their own in the session, so that two of one time keep their order.',
    },
    {
      number: 59,
      title: 'Templates of instructions',
      statement:
        "Names in braces are filled from state and artifacts, with `?` nothing when missing and an error otherwise; braces around anything else stay; a function's text is taken as it is; the root's global instruction comes first.",
    },
    {
      number: 60,
      title: 'Artifacts',
      statement:
        "Versions count from 0; `user:` names are shared by the user's sessions; lists are sorted; folders in names are fine, ways out of them are not; an empty part is none; saved versions are noted on the event.",
    },
    {
      number: 61,
      title: 'Memory',
      statement:
        'A search finds entries that share a word with the query, whatever its case; load_memory asks for it, preload_memory puts it before the model unasked.',
    },
    {
      number: 62,
      title: 'Traces',
      statement:
        "The spans of an invocation, an agent, a model call and a tool call have ADK's names and attributes; event ids in them are those of stored events.",
      note: 'The histograms of ADK come with the step on observability.',
    },
    {
      number: 63,
      title: 'Live',
      statement:
        "Of a live conversation finished transcriptions are stored, pieces of them and the model's audio are not; a connection that says goodbye is taken up again.",
      deferred:
        'Live conversations are a later step; until then there is nothing that could keep or break it.',
    },
    {
      number: 64,
      title: 'Stored before it goes on',
      statement:
        'A tool is called, and an event or a piece of one shown, once all that led to it is durably stored; a model call may begin meanwhile, and a tool that says that it only reads, but nothing of them gets out before.',
    },
    {
      number: 65,
      title: 'Secrets of a credential request',
      statement:
        'The client secret in an auth config is neither stored in events nor shown to clients; it is put back where it is used.',
    },
    {
      number: 66,
      title: 'A confirmation has three fields',
      statement:
        'A tool confirmation holds whether it is confirmed, a payload and a hint; anything else is refused.',
    },
  ],
};
