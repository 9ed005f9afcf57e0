import { AdkError } from '@skein/contracts';

type Module = Readonly<Record<string, unknown>>;

const GOOGLE_ADK = '@google/adk';

/**
 * What agent files import by name, with `adk` as `@google/adk` and as whatever lies below it: npm's package hands over
 * parts of itself as `@google/adk/tools/mcp`, and a second engine must not come in by those either. An import that
 * would leave the package throws `agent.import`.
 */
export function withGoogleAdk(
  modules: Readonly<Record<string, Module>>,
  adk: Module,
): Record<string, Module> {
  const theirs = asGoogleAdk(adk);
  return new Proxy<Record<string, Module>>(
    { ...modules },
    {
      has: (known, id) => id in known || isGoogleAdk(id),
      get(known, id) {
        if (!isGoogleAdk(id)) return Reflect.get(known, id) as unknown;
        assertBelow(id);
        return theirs;
      },
    },
  );
}

function isGoogleAdk(id: string | symbol): id is string {
  return typeof id === 'string' && (id === GOOGLE_ADK || id.startsWith(`${GOOGLE_ADK}/`));
}

function assertBelow(id: string): void {
  const names = id.slice(GOOGLE_ADK.length + 1).split('/');
  if (id === GOOGLE_ADK || names.every((name) => /^[\w-]+[\w.-]*$/.test(name))) return;
  throw new AdkError('invalid', 'agent.import', `"${id.slice(0, 200)}" is no part of ${GOOGLE_ADK}.`);
}

/**
 * A module as an agent file gets it that imports `@google/adk`: what npm's package has and this one has not says so
 * where it is used, in place of an `undefined` that is no constructor.
 */
function asGoogleAdk(adk: Module): Module {
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
