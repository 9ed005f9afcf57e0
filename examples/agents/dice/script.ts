import { getFunctionResponses, type ScriptedRule } from '@skein/adk';

const HINT = 'Say "roll a die", "roll 2 dice" or "roll a die with 20 sides".';

/** What the sample says without a real model. The first rule that matches what was said last answers. */
export const script: readonly ScriptedRule[] = [
  {
    when: /^roll_die: /,
    respond: (_match, { contents }) => {
      const responses = getFunctionResponses({ content: contents.at(-1) });
      return `You rolled ${responses.map(({ response }) => String(response?.result)).join(' and ')}.`;
    },
  },
  {
    when: /roll (?:(\d) dice|a die)(?: with (\d+) sides)?/i,
    respond: ([, dice = '1', sides = '6']) => ({
      content: {
        role: 'model',
        parts: Array.from({ length: Number(dice) }, () => ({
          functionCall: { name: 'roll_die', args: { sides: Number(sides) } },
        })),
      },
    }),
  },
  { when: /^/, respond: () => HINT },
];
