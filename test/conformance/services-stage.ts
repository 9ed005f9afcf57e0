import { type Session } from '@skein/contracts';
import { type Answer, Client, type SseFrame } from '../support/client';
import { readAsked, type Asked } from './played';
import { type RunInput, type ShownRun, type Stage } from './stage';

/** An app behind the gateway, its model in a runner and its tools in workers. */
export class ServicesStage implements Stage {
  readonly #client: Client;

  constructor(
    url: string,
    private readonly appName: string,
    private readonly logFile: string,
  ) {
    this.#client = new Client(url, appName);
  }

  async createSession(sessionId: string, state: Record<string, unknown>): Promise<void> {
    await this.#client.createSession(sessionId, state);
  }

  async getSession(sessionId: string): Promise<Session> {
    return this.#client.getSession(sessionId);
  }

  async run(sessionId: string, { newMessage, streaming = false, ...input }: RunInput): Promise<ShownRun> {
    if (streaming) return shownBy(await this.#client.runSse(sessionId, newMessage, input));
    const { status, body } = await this.#client.run(sessionId, newMessage, input);
    if (status === 200) return { events: body, chunks: [] };
    return { events: [], chunks: [], failed: reasonOf(body) };
  }

  async rewind(sessionId: string, invocationId: string): Promise<void> {
    assertDone(await this.#client.rewind(sessionId, invocationId));
  }

  async patch(sessionId: string, stateDelta: Record<string, unknown>): Promise<void> {
    assertDone(await this.#client.patchSession(sessionId, stateDelta));
  }

  async addToMemory(sessionId: string): Promise<void> {
    assertDone(await this.#client.addToMemory(sessionId));
  }

  asked(): Asked[] {
    return readAsked(this.logFile, this.appName);
  }
}

function shownBy(frames: readonly SseFrame[]): ShownRun {
  const shown = frames.filter(({ data }) => data.error === undefined).map(({ data }) => data);
  const failed = frames.find(({ data }) => data.error !== undefined)?.data.error;
  return {
    events: shown.filter(({ partial }) => !partial),
    chunks: shown.filter(({ partial }) => partial),
    ...(failed === undefined ? {} : { failed }),
  };
}

/** A run that failed has its own code in its sentence; what was refused has it beside. */
function reasonOf(body: unknown): string {
  // The gateway's own shape of an error; another one shows up in the comparison.
  const { code, detail } = body as { readonly code: string; readonly detail: string };
  return code === 'run.failed' ? detail : `${code}: ${detail}`;
}

function assertDone({ status, body }: Answer<unknown>): void {
  if (status !== 200) throw new Error(`HTTP ${status}: ${JSON.stringify(body)}`);
}
