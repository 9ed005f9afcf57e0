import { FunctionTool, LlmAgent, ScriptedLlm } from '@skein/adk';
import { z } from 'zod';
import { findCity, knownCities } from './cities';
import { script } from './script';

const city = z.string().describe('Name of a city, in English.');

const getWeather = new FunctionTool({
  name: 'get_weather',
  description: 'Tells the weather in a city.',
  parameters: z.object({ city }),
  execute: ({ city }) => {
    const found = findCity(city);
    if (!found) return unknownCity(city);
    return { status: 'success', city: found.name, report: found.weather, source: 'sample data' };
  },
});

const getCurrentTime = new FunctionTool({
  name: 'get_current_time',
  description: 'Tells the date and the time of day in a city.',
  parameters: z.object({ city }),
  execute: ({ city }) => {
    const found = findCity(city);
    if (!found) return unknownCity(city);
    const { name, timeZone } = found;
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'full', timeStyle: 'short' });
    return { status: 'success', city: name, time: clock.format(new Date()), timeZone };
  },
});

function unknownCity(city: string) {
  const error_message = `I know nothing about "${city}". Cities I know: ${knownCities().join(', ')}.`;
  return { status: 'error', error_message };
}

// With a key a real model answers; without one a script does, so that the sample runs anywhere.
const hasKey = Boolean(process.env.GOOGLE_API_KEY ?? process.env.GEMINI_API_KEY);

export const rootAgent = new LlmAgent({
  name: 'weather_time_agent',
  description: 'Answers questions about the weather and the time in a city.',
  model: hasKey ? 'gemini-2.5-flash' : new ScriptedLlm({ rules: script }),
  instruction:
    'Answer questions about the weather and the time in a city. Use your tools, and call all those you need at once. ' +
    'Say that the weather is sample data.',
  tools: [getWeather, getCurrentTime],
});
