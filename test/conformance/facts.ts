import { contentSchema, type Event } from '@skein/contracts';
import { type Expectation } from './case';
import { type Asked, type Played, type PlayedTurn } from './played';
import { contentLine, eventLine } from './transcript';

/** The facts a case names, as they were played. */
export function factsOf({ turns, state, asked, stored }: Played, expected: Expectation): Expectation {
  return {
    turns: turns.map(turnLines),
    ...(expected.state ? { state } : {}),
    ...(expected.asked ? { asked: asked.map(requestLines) } : {}),
    ...(expected.instructions ? { instructions: asked.map(instructionOf) } : {}),
    ...(expected.stored ? { stored: stored.map(eventLine) } : {}),
  };
}

/** All that was played, one event or request a line: what a change of behaviour nobody thought of shows up in. */
export function linesOf({ turns, state, asked, stored }: Played): Record<string, unknown> {
  return {
    turns: turns.map(({ events, ...turn }) => ({ ...turn, events: events.map(compact) })),
    stored: stored.map(compact),
    state: JSON.stringify(state),
    asked: asked.map((one) => JSON.stringify(one)),
  };
}

function turnLines({ events, streamed = [], failed }: PlayedTurn): string[] {
  return [
    ...streamed.map(({ text }) => `... ${text}`),
    ...events.map(eventLine),
    ...(failed === undefined ? [] : [`failed ${failed}`]),
  ];
}

function requestLines({ request }: Asked): string[] {
  return request.contents.map((content) => contentLine(contentSchema.parse(content)));
}

function instructionOf({ request }: Asked): string {
  const { systemInstruction } = request.config;
  return typeof systemInstruction === 'string' ? systemInstruction : '';
}

/** Without the maps every event has, when they are empty. */
function compact({ actions, ...event }: Event): string {
  const filled = Object.entries(actions).filter(([, value]) => !isEmpty(value));
  return JSON.stringify({ ...event, ...(filled.length > 0 ? { actions: Object.fromEntries(filled) } : {}) });
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
