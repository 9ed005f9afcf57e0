/**
 * Makes of this build one of a later version, for the chaos tests: loaded with `NODE_OPTIONS=--require`, every object in
 * every message it sends has a field that nobody knows, but for those whose keys are the users' own.
 */
const Module = require('node:module');

const USERS_OWN = /state|delta|requested|args|response|payload|metadata|schema|headers|^apps$/i;
const load = Module._load;
const changed = new WeakSet();

Module._load = function (...args) {
  const loaded = load.apply(this, args);
  if (args[0].endsWith('/message-codec') && !changed.has(loaded.MessageCodec)) {
    changed.add(loaded.MessageCodec);
    const { encode } = loaded.MessageCodec.prototype;
    loaded.MessageCodec.prototype.encode = function (body) {
      return encode.call(this, withUnknownFields(JSON.parse(JSON.stringify(body ?? null))));
    };
  }
  return loaded;
};

function withUnknownFields(value, key = '') {
  if (Array.isArray(value)) return value.map((one) => withUnknownFields(one, key));
  if (typeof value !== 'object' || value === null || USERS_OWN.test(key)) return value;
  // What a tool gave is the user's own too; under the same key stands the value of an answer.
  if (value.kind === 'result' && 'value' in value) return { ...value, fromTheFuture: { version: 2 } };
  const fields = Object.entries(value).map(([name, child]) => [name, withUnknownFields(child, name)]);
  return { ...Object.fromEntries(fields), fromTheFuture: { version: 2 } };
}
