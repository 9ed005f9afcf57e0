import type { BodyRoute } from './routes';

/** One bad body: `row` is its line in the security bar. */
export interface BadBody {
  readonly row: number;
  readonly name: string;
  readonly status: number;
  readonly code: string;
  readonly headers?: Readonly<Record<string, string>>;
  body(route: BodyRoute): string | Buffer;
}

const malformed = { status: 400, code: 'request.malformed' };
const refused = { status: 422, code: 'request.refused' };
const invalid = { status: 422, code: 'request.invalid' };
const notJson = { status: 415, code: 'request.media-type' };
const tooLarge = { status: 413, code: 'request.too-large' };

/** Bodies that no route with a body may take. */
export const badBodies: readonly BadBody[] = [
  { row: 1, name: 'truncated JSON', ...malformed, body: (route) => good(route).slice(0, -2) },
  { row: 1, name: 'text that is not JSON', ...malformed, body: () => 'hello' },
  { row: 1, name: 'a byte order mark', ...malformed, body: (route) => `\ufeff${good(route)}` },
  { row: 1, name: 'trailing data', ...malformed, body: (route) => `${good(route)}{}` },
  { row: 1, name: 'a key given twice', ...malformed, body: (route) => inState(route, '{"a":1,"\\u0061":2}') },
  { row: 1, name: 'bytes that are not UTF-8', ...malformed, body: notUtf8 },
  { row: 1, name: 'UTF-16', ...malformed, body: (route) => Buffer.from(good(route), 'utf16le') },
  {
    row: 1,
    name: 'a form',
    ...notJson,
    headers: type('application/x-www-form-urlencoded'),
    body: () => 'a=b',
  },
  { row: 1, name: 'plain text', ...notJson, headers: type('text/plain'), body: good },
  {
    row: 1,
    name: 'another charset',
    ...notJson,
    headers: type('application/json; charset=latin1'),
    body: good,
  },
  { row: 2, name: 'an array', ...invalid, body: () => '[]' },
  { row: 2, name: 'a number', ...invalid, body: () => '7' },
  { row: 2, name: 'a string', ...invalid, body: () => '"x"' },
  { row: 4, name: 'a state key without a name after its scope', ...invalid, body: state({ 'app:': 1 }) },
  { row: 4, name: 'an empty state key', ...invalid, body: state({ '': 1 }) },
  { row: 4, name: 'a state key of 10 KiB', ...invalid, body: state({ ['k'.repeat(10_240)]: 1 }) },
  { row: 4, name: 'a state key of 257 bytes', ...invalid, body: state({ ['é'.repeat(129)]: 1 }) },
  { row: 7, name: 'NUL in a value', ...refused, body: state({ k: 'a\0b' }) },
  { row: 7, name: 'NUL in a key', ...refused, body: state({ 'a\0b': 1 }) },
  { row: 7, name: 'NUL deep inside', ...refused, body: state({ k: [{ a: { b: ['\0'] } }] }) },
  { row: 8, name: 'a lone surrogate in a value', ...refused, body: (r) => inState(r, '{"k":"\\ud800"}') },
  {
    row: 8,
    name: 'surrogates in the wrong order',
    ...refused,
    body: (r) => inState(r, '{"k":"\\udc00\\ud800"}'),
  },
  { row: 8, name: 'a lone surrogate in a key', ...refused, body: (r) => inState(r, '{"\\ud800":1}') },
  {
    row: 9,
    name: 'arrays 20,000 deep',
    ...refused,
    body: (r) => inState(r, `{"k":${nested('[', ']', 20_000)}}`),
  },
  {
    row: 9,
    name: 'objects 20,000 deep',
    ...refused,
    body: (r) => inState(r, nested('{"a":', '}', 20_000, '1')),
  },
  { row: 9, name: 'arrays 80 deep', ...refused, body: (r) => inState(r, `{"k":${nested('[', ']', 80)}}`) },
  { row: 10, name: 'a string of 9 MiB', ...tooLarge, body: state({ k: 'x'.repeat(9 * 1024 * 1024) }) },
  { row: 10, name: 'a million keys', ...tooLarge, body: (r) => inState(r, manyKeys(1_000_000)) },
  {
    row: 10,
    name: '500,000 values',
    ...refused,
    body: state({ k: Array.from({ length: 500_000 }, () => 0) }),
  },
  { row: 11, name: '1e400', ...malformed, body: (r) => inState(r, '{"k":1e400}') },
  {
    row: 11,
    name: 'an integer beyond 2^53',
    ...malformed,
    body: (r) => inState(r, '{"k":9007199254740993}'),
  },
  { row: 11, name: 'NaN', ...malformed, body: (r) => inState(r, '{"k":NaN}') },
  { row: 27, name: 'a compressed body', ...notJson, headers: { 'content-encoding': 'gzip' }, body: good },
];

/** Bodies whose message no run may take. */
export const badMessages: readonly BadBody[] = [
  ...['appName', 'userId', 'sessionId'].map((field) => message(2, `no ${field}`, { [field]: undefined })),
  message(2, 'no message', { newMessage: undefined }),
  message(2, 'a null message', { newMessage: null }),
  message(2, 'a message that is text', { newMessage: 'hello' }),
  { ...message(2, 'a message without parts', { newMessage: { role: 'user' } }), code: 'message.empty' },
  { ...message(2, 'a message of no parts', parts()), code: 'message.empty' },
  message(2, 'parts that are no objects', { newMessage: { parts: ['hello'] } }),
  message(2, 'text that is a number', { newMessage: { parts: [{ text: 7 }] } }),
  message(2, 'streaming that is text', { streaming: 'yes' }),
  message(2, 'an unknown policy for a busy session', { onBusy: 'panic' }),
  {
    ...message(29, 'a function call by the user', parts({ functionCall: { name: 'danger', args: {} } })),
    code: 'message.function-call',
  },
  {
    ...message(29, 'a function call in snake_case', parts({ function_call: { name: 'danger', args: {} } })),
    code: 'message.function-call',
  },
  {
    ...message(
      29,
      'an answer mixed with text',
      parts({ text: 'x' }, { functionResponse: { id: 'c', name: 'f', response: {} } }),
    ),
    code: 'message.mixed',
  },
  {
    ...message(29, 'an answer to no call', parts({ functionResponse: { name: 'f', response: {} } })),
    code: 'message.response-without-id',
  },
  message(29, 'an answer that is no object', parts({ functionResponse: { name: 'f', response: 'yes' } })),
  ...['a.b', '1app', 'user', '../../etc', 'a b', ''].map((appName) =>
    message(13, `the app name ${JSON.stringify(appName)}`, { appName }),
  ),
  ...['', 'a\u0007b', '\u007f', 'x'.repeat(257)].flatMap((id) => [
    message(13, `the user id ${JSON.stringify(id).slice(0, 12)}`, { userId: id }),
    message(13, `the session id ${JSON.stringify(id).slice(0, 12)}`, { sessionId: id }),
  ]),
  { ...message(7, 'NUL in the text', parts({ text: 'a\0b' })), ...refused },
  { ...message(13, 'NUL in the session id', { sessionId: 'a\0b' }), ...refused },
  { ...message(13, 'an app that is not there', { appName: 'nobody' }), status: 404, code: 'app.unknown' },
  message(2, 'an unknown wish for when the client leaves', { onDisconnect: 'explode' }),
  message(2, 'an invocation to resume whose id is empty', { invocationId: '', newMessage: undefined }),
  message(20, 'an invocation to resume with an id of 257 characters', { invocation_id: 'e'.repeat(257) }),
  {
    ...message(20, 'an Idempotency-Key of 257 characters', {}),
    headers: { 'idempotency-key': 'k'.repeat(257) },
  },
];

function good(route: BodyRoute): string {
  return JSON.stringify(route.withState({ k: 'v' }));
}

function state(value: object): (route: BodyRoute) => string {
  return (route) => JSON.stringify(route.withState(value));
}

/** Puts text that JSON.stringify would never write where the state is. */
function inState(route: BodyRoute, json: string): string {
  return JSON.stringify(route.withState('@@')).replace('"@@"', () => json);
}

function notUtf8(route: BodyRoute): Buffer {
  return Buffer.from(inState(route, '{"k":"\u00ff"}'), 'latin1');
}

function nested(open: string, close: string, depth: number, inner = ''): string {
  return open.repeat(depth) + inner + close.repeat(depth);
}

function manyKeys(count: number): string {
  return `{${Array.from({ length: count }, (_, i) => `"k${i}":0`).join(',')}}`;
}

function type(contentType: string) {
  return { 'content-type': contentType };
}

function parts(...list: readonly object[]) {
  return { newMessage: { parts: list } };
}

function message(row: number, name: string, change: object): BadBody {
  return {
    row,
    name,
    ...invalid,
    body: (route) => JSON.stringify({ ...route.withState(undefined), ...change }),
  };
}
