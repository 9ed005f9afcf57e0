import {
  type Event,
  getFunctionCalls,
  getFunctionResponses,
  REQUEST_CONFIRMATION_FUNCTION_CALL_NAME,
} from '@skein/adk';
import { finalTextOf } from '../run/agent-run';
import { eventsOf, showCall, showEvents } from './show-events';

/** What Jest and Vitest give a matcher, as far as these need it. */
interface MatcherContext {
  /** Deep, with asymmetric matchers as `expect.any(String)` on the side of what is expected. */
  readonly equals: (received: unknown, expected: unknown) => boolean;
}

interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
}

type Json = Readonly<Record<string, unknown>>;

/** Matchers for `expect.extend()`: each takes what `runAgent` settles with, a list of events, or one event. */
export const agentMatchers = {
  /** A model called this tool; with `args`, in one of the calls with just these. */
  toHaveToolCall(this: MatcherContext, received: unknown, name: string, args?: Json): Verdict {
    const events = eventsOf(received);
    const made = events.flatMap(getFunctionCalls);
    const pass = made.some(
      (call) => call.name === name && (args === undefined || this.equals(call.args ?? {}, args)),
    );
    const wanted = args === undefined ? name : showCall({ name, args });
    return verdict(pass, `a call of ${wanted}`, made.map(showCall), events);
  },

  /** A tool answered; with `response`, one of its answers was just this. */
  toHaveToolResponse(this: MatcherContext, received: unknown, name: string, response?: Json): Verdict {
    const events = eventsOf(received);
    const given = events.flatMap(getFunctionResponses);
    const pass = given.some(
      (one) => one.name === name && (response === undefined || this.equals(one.response ?? {}, response)),
    );
    const wanted = `a response of ${name}${response === undefined ? '' : ` that is ${show(response)}`}`;
    return verdict(
      pass,
      wanted,
      given.map((one) => `${one.name} → ${show(one.response)}`),
      events,
    );
  },

  /** The text that ends the run: the same, or one that the pattern or `expect.stringContaining()` matches. */
  toHaveFinalText(this: MatcherContext, received: unknown, expected: unknown): Verdict {
    const events = eventsOf(received);
    const text = finalTextOf(events);
    const pass = expected instanceof RegExp ? text.search(expected) >= 0 : this.equals(text, expected);
    return verdict(pass, `the final text ${show(expected)}`, [show(text)], events);
  },

  /** The events, taken together, set these keys of the state to these values; others may be set too. */
  toHaveStateDelta(this: MatcherContext, received: unknown, delta: Json): Verdict {
    const events = eventsOf(received);
    const set = mergedDeltas(events, 'stateDelta');
    const pass = Object.entries(delta).every(
      ([key, value]) => Object.hasOwn(set, key) && this.equals(set[key], value),
    );
    return verdict(pass, `the state to be set as ${show(delta)}`, [show(set)], events);
  },

  /** An artifact of this name was saved; with `version`, the last one saved has it. */
  toHaveSavedArtifact(this: MatcherContext, received: unknown, name: string, version?: number): Verdict {
    const events = eventsOf(received);
    const saved = mergedDeltas(events, 'artifactDelta');
    const pass = Object.hasOwn(saved, name) && (version === undefined || saved[name] === version);
    const wanted = `the artifact ${name}${version === undefined ? '' : `, version ${version},`} to be saved`;
    return verdict(pass, wanted, [show(saved)], events);
  },

  /** The conversation was handed over to this agent. */
  toHaveTransferredTo(this: MatcherContext, received: unknown, agentName: string): Verdict {
    const events = eventsOf(received);
    const targets = events.flatMap(({ actions }) => actions.transferToAgent ?? []);
    return verdict(targets.includes(agentName), `a transfer to ${agentName}`, targets, events);
  },

  /** The user was asked whether a tool may run; with `name`, whether this one may. */
  toHaveAskedConfirmation(this: MatcherContext, received: unknown, name?: string): Verdict {
    const events = eventsOf(received);
    const asked = events.flatMap(confirmationsIn);
    const pass = name === undefined ? asked.length > 0 : asked.includes(name);
    return verdict(pass, `a question whether ${name ?? 'a tool'} may run`, asked, events);
  },

  /** An event says that the model refused, or that the run failed, with this code. */
  toHaveErrorCode(this: MatcherContext, received: unknown, code: string): Verdict {
    const events = eventsOf(received);
    const codes = events.flatMap(({ errorCode }) => errorCode ?? []);
    return verdict(codes.includes(code), `an event with the error code ${code}`, codes, events);
  },
};

function verdict(pass: boolean, wanted: string, found: readonly string[], events: readonly Event[]): Verdict {
  const message = (): string => {
    const sentence = pass ? `Expected not to find ${wanted}.` : `Expected ${wanted}.`;
    return `${sentence}\nFound: ${found.join(', ') || 'none'}\n\nThe events:\n${showEvents(events)}`;
  };
  return { pass, message };
}

function mergedDeltas(events: readonly Event[], delta: 'stateDelta' | 'artifactDelta'): Json {
  return Object.fromEntries(events.flatMap(({ actions }) => Object.entries(actions[delta])));
}

/** The names of the tools that an event asks the user about. */
function confirmationsIn(event: Event): string[] {
  return getFunctionCalls(event)
    .filter(({ name }) => name === REQUEST_CONFIRMATION_FUNCTION_CALL_NAME)
    .map(({ args }) => {
      const asked: unknown = args?.originalFunctionCall;
      const isNamed = typeof asked === 'object' && asked !== null && 'name' in asked;
      return isNamed ? String(asked.name) : '';
    });
}

function show(value: unknown): string {
  return value instanceof RegExp ? String(value) : JSON.stringify(value);
}
