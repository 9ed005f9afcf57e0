import { type ServerResponse } from 'node:http';
import { type Behaviour } from '@skein/testing';
import { type TestedProvider } from '../support/provider-servers';

export type Mode = 'at once' | 'streamed';

/** What an error event says: its code, and its sentence. */
export interface Told {
  readonly code: string;
  readonly says: RegExp;
}

/** What a provider does, and what the log then says. */
export interface Fault {
  readonly does: (provider: TestedProvider) => Behaviour;
  /** None: the model is told of it, and the turn goes on. */
  readonly told?: (provider: string, mode: Mode) => Told;
  /** It is over once somebody gave up waiting. */
  readonly isSilence?: boolean;
}

/** For a fault that is a silence; whatever is one of these is one, however slow the machine. */
export const IMPATIENT = { connectTimeoutMs: 1_500, idleTimeoutMs: 1_500, totalTimeoutMs: 6_000 };

const SILENT = /^The model( sent nothing for 1500 ms|'s answer was not whole after 6000 ms)\.$/;
const UNREADABLE = /^The model's answer could not be read: \w+/;
const TEXT = { parts: [{ text: 'The beginning of an answer that nobody sees the end of.' }] };

/** A NUL, and half a character: Postgres stores neither. */
const UNSTORABLE = '\0 or \ud800';

const call = (id: string, n: number) => ({ call: { id, name: 'touch', args: { n } } });
const always = (code: string, says: RegExp) => (): Told => ({ code, says });

export const FAULTS: Readonly<Record<string, Fault>> = {
  'a wrong key, told back in the refusal': {
    does: ({ apiKey }) => ({ refuses: 'wrong-key', message: `API key not valid: ${apiKey}` }),
    told: always('ClientError', /^API key not valid: \[key\]$/),
  },
  'an unknown model': {
    does: () => ({ refuses: 'unknown-model' }),
    told: always('ClientError', /^(The model is not found|The model does not exist|model: not found)/),
  },
  'a request over the context limit': {
    does: () => ({ refuses: 'too-long' }),
    told: always(
      'ClientError',
      /exceeds the maximum number of tokens|maximum context length|prompt is too long/,
    ),
  },
  'a refused prompt': {
    does: () => ({ says: { parts: [], stop: 'safety' } }),
    told: always(
      'SAFETY',
      /^(The provider blocked the prompt: SAFETY\.|This request was declined|The provider's content filter)/,
    ),
  },
  'an outage': {
    does: () => ({ refuses: 'failed' }),
    told: always('ServerError', /internal (server )?error|server had an error/i),
  },
  'an overload': { does: () => ({ refuses: 'overloaded' }), told: always('ServerError', /overloaded/i) },
  'no answer at all': {
    does: () => ({ hangs: true }),
    told: always('ModelError', SILENT),
    isSilence: true,
  },
  'an answer that stops coming': {
    does: () => ({ says: TEXT, breaks: { at: 'begun', how: 'hang' } }),
    told: always('ModelError', SILENT),
    isSilence: true,
  },
  'an answer that is cut': {
    does: () => ({ says: TEXT, breaks: { at: 'begun', how: 'cut' } }),
    told: always('ModelError', /^The provider could not be reached, or its answer broke off: \w+/),
  },
  'an answer that turns into garbage': {
    does: () => ({ says: TEXT, breaks: { at: 'begun', how: 'garbage' } }),
    told: always('model.bad-answer', UNREADABLE),
  },
  'a page in place of an answer': {
    does: () => ({
      replies: (response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end('<html>A proxy.</html>'),
    }),
    told: always('model.bad-answer', UNREADABLE),
  },
  'a call of a tool that does not exist': {
    does: () => ({ says: { parts: [{ call: { id: 'c1', name: 'nobody_has_this', args: {} } }] } }),
  },
  'an answer without an end': {
    does: () => ({ replies: endless }),
    told: always('model.too-large', /^The model's answer is larger than 1048576 bytes\.$/),
  },
  'an answer of more values than can be kept': {
    does: () => ({ replies: saysJson(`{"a":[${'0,'.repeat(300_000)}0]}`) }),
    told: always('model.too-large', /^The model's answer holds more than 250000 values\.$/),
  },
  'an answer that is nested without an end': {
    does: () => ({ replies: saysJson('{"a":'.repeat(100_000)) }),
    told: always('model.too-large', /^The model's answer is nested deeper than 64 levels\.$/),
  },
  'a refusal in words that cannot be stored': {
    does: () => ({ refuses: 'bad-request', message: `This is ${UNSTORABLE}.` }),
    told: always('ClientError', /This is \ufffd or \ufffd\.$/),
  },
  'words that cannot be stored': {
    does: () => ({ says: { parts: [{ text: UNSTORABLE }] } }),
  },
  'a call in words that cannot be stored': {
    does: () => ({
      says: { parts: [{ call: { id: 'c1', name: 'touch', args: { [UNSTORABLE]: UNSTORABLE } } }] },
    }),
  },
  'two calls of one id': { does: () => ({ says: { parts: [call('same', 1), call('same', 2)] } }) },
};

function headOf(response: ServerResponse, isStreamed: boolean): ServerResponse {
  return response.writeHead(200, { 'content-type': isStreamed ? 'text/event-stream' : 'application/json' });
}

function saysJson(json: string): (response: ServerResponse, isStreamed: boolean) => void {
  return (response, isStreamed) => {
    headOf(response, isStreamed).end(isStreamed ? `event: message_start\ndata: ${json}\n\n` : json);
  };
}

/** White space for as long as somebody reads. */
function endless(response: ServerResponse, isStreamed: boolean): void {
  const piece = isStreamed ? ': on\n\n'.repeat(10_000) : ' '.repeat(60_000);
  headOf(response, isStreamed).write(isStreamed ? piece : `{${piece}`);
  const write = (): void => {
    if (!response.destroyed) response.write(piece, () => setImmediate(write));
  };
  write();
}
