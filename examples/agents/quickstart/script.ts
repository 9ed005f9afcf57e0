import { getFunctionResponses, type ScriptedRule } from '@skein/adk';

const HINT =
  'Hello! Ask me for the weather or the time in a city: "What is the weather and the time in Paris?"';

/** What the sample says without a real model. The first rule that matches what was said last answers. */
export const script: readonly ScriptedRule[] = [
  {
    // The tools have answered: put their results into words.
    when: /^get_(weather|current_time): /,
    respond: (_match, request) =>
      getFunctionResponses({ content: request.contents.at(-1) })
        .map(({ name, response }) => sentence(name, response ?? {}))
        .join(' '),
  },
  {
    // A question with a city: ask all tools it needs in one turn, so that they run at the same time.
    when: /\b(?:weather|time)\b.*\b(?:in|for|at|of) (?:the city of )?(?<city>\p{L}[\p{L} .'-]*?)\s*[?!.]*$/isu,
    respond: ({ 0: question, groups }) => {
      const tools = [
        ...(/weather/i.test(question) ? ['get_weather'] : []),
        ...(/time/i.test(question) ? ['get_current_time'] : []),
      ];
      const parts = tools.map((name) => ({ functionCall: { name, args: { city: groups?.city ?? '' } } }));
      return { content: { role: 'model', parts } };
    },
  },
  { when: /^/, respond: () => HINT },
];

function sentence(tool: string, result: Readonly<Record<string, unknown>>): string {
  const { city, report, source, time, timeZone } = result;
  // A tool's own error has a message for us; one of the tool plane has only `error`.
  if (result.status !== 'success') return String(result.error_message ?? result.error);
  return tool === 'get_weather'
    ? `The weather in ${String(city)}: ${String(report)} (${String(source)}).`
    : `In ${String(city)} it is ${String(time)} (${String(timeZone)}).`;
}
