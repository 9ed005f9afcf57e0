import { AdkError } from '@skein/contracts';

type Module = Readonly<Record<string, unknown>>;

/**
 * A module as an agent file gets it that imports `@google/adk`: what npm's package has and this one has not says so
 * where it is used, in place of an `undefined` that is no constructor.
 */
export function asGoogleAdk(adk: Module): Module {
  return new Proxy(adk, {
    // The loader asks whether a name is there before it asks for it.
    has: (module, name) => name in module || isExport(name),
    get(module, name) {
      if (!(name in module) && isExport(name)) throw notHere(name);
      return Reflect.get(module, name) as unknown;
    },
  });
}

/** Not what a module system or an await asks of any object. */
function isExport(name: string | symbol): name is string {
  return typeof name === 'string' && !/^(default|then|toJSON|__\w+|module\.exports)$/.test(name);
}

function notHere(name: string): AdkError {
  return new AdkError(
    'invalid',
    'agent.not-covered',
    `${name} of @google/adk is not in @skein/adk; docs/reference/google-adk-coverage.md says why.`,
  );
}
