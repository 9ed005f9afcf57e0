import type { OpenCall } from './open-calls';

/** How an open call is put to the user, and how his line is read. */
export interface Question {
  readonly lines: readonly string[];
  readonly prompt: string;
  /** The function response his line stands for; nothing when the line is no answer. */
  read(line: string): Answer | undefined;
}

export type Answer = Readonly<Record<string, unknown>>;

/** The question an open call asks, in the form its kind asks for. */
export function questionOf(call: OpenCall): Question {
  if (call.name === 'adk_request_confirmation') return confirmation(call);
  if (call.name === 'adk_request_credential') return credential(call);
  if (call.name === 'get_user_choice') return choice(call);
  return {
    lines: [`? ${call.name}(${JSON.stringify(call.args)}) waits for an answer`],
    prompt: 'its answer (JSON or text)> ',
    read: (line) => parsedObject(line) ?? { result: line.trim() },
  };
}

function confirmation({ args }: OpenCall): Question {
  const { name, args: asked } = recordIn(args, 'originalFunctionCall');
  const { hint, payload } = recordIn(args, 'toolConfirmation');
  const call = `${text(name) || '?'}(${JSON.stringify(asked ?? {})})`;
  return {
    lines: [
      `? ${call} wants to run`,
      ...(text(hint) ? [`  ${text(hint)}`] : []),
      ...(payload === undefined ? [] : [`  ${JSON.stringify(payload)}`]),
    ],
    prompt: 'approve? [y/n] ',
    read: (line) => {
      const said = line.trim().toLowerCase();
      if (['y', 'yes'].includes(said)) return { confirmed: true };
      return ['n', 'no'].includes(said) ? { confirmed: false } : undefined;
    },
  };
}

function credential({ author, args }: OpenCall): Question {
  const authConfig = recordIn(args, 'authConfig');
  const { authUri } = recordIn(recordIn(authConfig, 'rawAuthCredential'), 'oauth2');
  return {
    lines: [
      `? ${author} needs a credential: ${JSON.stringify(authConfig.authScheme ?? {})}`,
      ...(text(authUri) ? [`  consent is given at ${text(authUri)}`] : []),
    ],
    prompt: 'credential (JSON) or API key> ',
    read: (line) => {
      const given = parsedObject(line) ?? { authType: 'apiKey', apiKey: line.trim() };
      // Somebody may paste the whole answer, as ADK's own page builds it.
      if ('exchangedAuthCredential' in given) return { ...authConfig, ...given };
      return { ...authConfig, exchangedAuthCredential: given };
    },
  };
}

function choice({ args }: OpenCall): Question {
  const options = Array.isArray(args.options) ? args.options.map(text) : [];
  return {
    lines: ['? choose one', ...options.map((option, index) => `  ${index + 1}. ${option}`)],
    prompt: 'number> ',
    read: (line) => {
      const said = line.trim();
      const chosen = options[Number(said) - 1] ?? options.find((option) => option === said);
      return chosen === undefined ? undefined : { result: chosen };
    },
  };
}

function parsedObject(line: string): Answer | undefined {
  try {
    const parsed: unknown = JSON.parse(line);
    return isRecord(parsed) ? parsed : undefined;
  } catch {
    // Not JSON, so it is meant as text.
    return undefined;
  }
}

function recordIn(record: Answer, key: string): Answer {
  const value = record[key];
  return isRecord(value) ? value : {};
}

function isRecord(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
