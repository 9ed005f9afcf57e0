import { isRecord, type Json, type JsonRecord, mapRecords } from './json';

const BUILT_IN_TOOLS = new Set([
  'exit_loop',
  'load_artifacts',
  'load_memory',
  'set_model_response',
  'transfer_to_agent',
]);

/** A library's own text, theirs or ours, and what is kept of it: that it was there, and what it was told about. */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/\n\nNOTE: This is a long-running operation\..*$/, '<how to wait>'],
  [/\n\nNOTE: this runs for long\..*$/, '<how to wait>'],
  [/^artifact contents temporarily inserted and removed\..*$/, '<load again>'],
  [/^The contents follow, once\..*$/, '<load again>'],
  [
    /You have a list of artifacts:\n {2}(.*)\n[^]*?Do not depend on prior answers about the\n {2}artifacts\./,
    '<artifacts: $1>',
  ],
  [/There are these artifacts: (.*)\nBefore you answer .*/, '<artifacts: $1>'],
  [/You have memory\. You can use it[^]*?with a query\./, '<memory>'],
  [/You remember earlier conversations .*/, '<memory>'],
  [/The following content is from your previous conversations with the user\.\n.*\n/, '<earlier>'],
  [/What follows was said in earlier conversations with this user.*\n/, '<earlier>'],
  [/(?<=<\/PAST_CONVERSATIONS>)\n$/, ''],
  [/To output the final result, you must call .*/, '<answer by set_model_response>'],
  [/Give your final answer by calling the tool set_model_response.*/, '<answer by set_model_response>'],
  [/<EXAMPLES>\nBegin few-shot\n.*\n\n/, '<examples>\n'],
  [/<EXAMPLES>\nQuestions of users, and how .*\n\n/, '<examples>\n'],
  [/(?<=EXAMPLE \d+:\n)Begin example\n/g, ''],
  [/End example\n\n/g, '\n'],
  [/End few-shot\n<EXAMPLES>$/, '</EXAMPLES>'],
  [/This tool call is rejected by policy engine\./, '<denied>'],
  [/The policy refuses this tool call\./, '<denied>'],
  [/Policy engine requires confirmation calling tool: (\w+)\./, '<to be confirmed: $1>'],
  [/The policy asks for a confirmation of (\w+)\./, '<to be confirmed: $1>'],
  [/\n+You have a list of other agents to transfer to:\n+/, '\n\n<other agents>\n\n'],
  [/\n+Other agents can take over:\n+/, '\n\n<other agents>\n\n'],
  [/\n+If you are the best to answer the question[^]*?the function call\.\n/, '\n\n<transfer>'],
  [/\n+If you are the one to answer, [^]*?The names to choose from are .*/, '\n\n<transfer>'],
  [/\n+Your parent agent is (\w+)\. If neither[^]*?to your parent agent\.\n/, '\n\n<parent: $1>'],
  [
    /\n+When neither you nor another agent fits, hand over to your parent agent `(\w+)`\./,
    '\n\n<parent: $1>',
  ],
  [/(?<=Agent description: .*)\n+(?=Agent name: )/g, '\n\n'],
];

/** What was played, without the words of either library: its instructions and the descriptions of built-in tools. */
export function withoutOwnWords(value: Json): Json {
  if (typeof value === 'string')
    return TEXTS.reduce((text, [words, kept]) => text.replace(words, kept), value);
  if (Array.isArray(value)) return value.map(withoutOwnWords);
  if (!isRecord(value)) return value;
  if (BUILT_IN_TOOLS.has(String(value.name)) && 'description' in value) {
    return mapRecords(value, withoutDescription);
  }
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, withoutOwnWords(held)]));
}

function withoutDescription({ description, ...others }: JsonRecord): JsonRecord {
  // A parameter may have this name: then it is a schema.
  return isRecord(description) ? { ...others, description } : others;
}
