import { z } from 'zod';

/** What went wrong between the command and the gateway, or what the gateway refused: one sentence is all that is shown. */
export class GatewayError extends Error {}

export interface GatewayAddress {
  readonly url: string;
  /** Where it was read, so that whoever typed the command knows what to change. */
  readonly from: string;
}

const causedSchema = z.object({ cause: z.unknown() });
const troubleSchema = z.object({ code: z.string().optional(), message: z.string().optional() });
const refusalSchema = z.object({ detail: z.string(), code: z.string().optional() });

/** Why there was no answer, in words; Node's own texts name neither the address nor what to do. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'it broke the connection off',
  EHOSTUNREACH: 'there is no way to that host',
  ENETUNREACH: 'there is no way to that network',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'the host’s name could not be looked up',
  ETIMEDOUT: 'it did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer in time',
  UND_ERR_HEADERS_TIMEOUT: 'it did not answer in time',
  UND_ERR_SOCKET: 'it broke the connection off',
};

/** The body of the gateway's answer. Rejects with a GatewayError when there is none, or it is a refusal. */
export async function askGateway(
  { url, from }: GatewayAddress,
  asked: { readonly method: string; readonly path: string },
): Promise<string> {
  const { username, password } = new URL(url);
  const where = `The gateway at ${withoutPassword(url)} (${from})`;
  if (username || password)
    throw new GatewayError(`${where} has a user name or a password in its address: it takes none.`);
  try {
    const response = await fetch(new URL(asked.path, url), { method: asked.method });
    const text = await response.text();
    if (response.ok) return text;
    throw new GatewayError(`${where} answered ${response.status}: ${sentenceOf(text)}`);
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    throw new GatewayError(`${where} could not be asked: ${reasonOf(error)}. Is it running?`, {
      cause: error,
    });
  }
}

/** What the gateway says in words, with its code; all of it where it is no answer of a gateway. */
function sentenceOf(text: string): string {
  try {
    const { detail, code } = refusalSchema.parse(JSON.parse(text));
    return code === undefined ? detail : `${detail} (${code})`;
  } catch {
    return text.slice(0, 1_000);
  }
}

/** What `fetch` throws says nothing itself; why is in its cause. */
function reasonOf(error: unknown): string {
  const { cause = error } = causedSchema.safeParse(error).data ?? {};
  const { code = '', message = String(cause) } = troubleSchema.safeParse(cause).data ?? {};
  return (Object.hasOwn(REASONS, code) ? REASONS[code] : undefined) ?? message;
}

function withoutPassword(url: string): string {
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  return shown.href.replace(/\/$/, '');
}
