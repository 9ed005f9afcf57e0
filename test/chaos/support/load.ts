import { type Event } from '@skein/contracts';
import { getFunctionCalls } from '@skein/engine';
import { type Random } from './random';
import { type TestedFleet } from './tested-fleet';
import { takeTurn, type Turn, type TurnRequest } from './turn';

export interface LoadOptions {
  readonly random: Random;
  readonly sessions: number;
  /** In each session, one after the other. */
  readonly turns: number;
  /** Messages for the `errands` agent, one drawn for each turn. */
  readonly messages?: readonly string[];
  /** In the names of the sessions; sessions of several loads of one fleet must differ. */
  readonly name?: string;
  readonly deadlineMs?: number;
}

/** Of everything a run can be busy with; short enough that many fit into a test. */
const MESSAGES = ['hello', 'count', 'count 3', 'both 40', 'wait 80', 'talk 6 15', 'send'];

/** Users who talk to the `errands` agent over HTTP, all sessions at the same time. */
export class Load {
  /** Every turn that came to its end so far. */
  readonly turns: Turn[] = [];
  /** Settles when all turns are taken; rejects with the first that was not. */
  readonly done: Promise<void>;
  #gateway = 0;

  constructor(
    private readonly fleet: TestedFleet,
    private readonly options: LoadOptions,
  ) {
    const { sessions, random, turns, messages = MESSAGES, name = `load${random.integer(0, 1e9)}` } = options;
    // Drawn now, so that the same seed says the same, in whatever order the answers come.
    const plans = Array.from({ length: sessions }, (_, index) => ({
      sessionId: `${name}-${index}`,
      messages: Array.from({ length: turns }, () => ({
        message: random.pick(messages),
        stream: random.next() < 0.5,
      })),
    }));
    this.done = Promise.all(
      plans.map(async (plan) => {
        for (const { message, stream } of plan.messages) await this.#take(plan.sessionId, message, stream);
      }),
    ).then(() => undefined);
    // Whoever awaits it hears of the failure; until then it is nobody's unhandled rejection.
    this.done.catch(() => undefined);
  }

  async #take(sessionId: string, message: string, stream: boolean): Promise<void> {
    const { deadlineMs } = this.options;
    const more = { stream, ...(deadlineMs === undefined ? {} : { deadlineMs }) };
    const request = { url: () => this.#url(), app: 'errands', sessionId, ...more };
    this.turns.push(...(await converse({ ...request, message })));
  }

  /** Round robin, as a load balancer would. */
  #url(): string {
    const { urls } = this.fleet;
    const url = urls[this.#gateway++ % urls.length];
    if (url === undefined) throw new Error('no gateway runs');
    return url;
  }
}

/** A turn, and one more for each confirmation it asks for, which is given. */
export async function converse(request: TurnRequest): Promise<Turn[]> {
  const turn = await takeTurn(request);
  const asked = confirmationIn(turn.events);
  return asked ? [turn, ...(await converse({ ...request, message: confirming(asked) }))] : [turn];
}

function confirmationIn(events: readonly Event[]): string | undefined {
  return events.flatMap(getFunctionCalls).find(({ name }) => name === 'adk_request_confirmation')?.id;
}

function confirming(id: string) {
  const functionResponse = { id, name: 'adk_request_confirmation', response: { confirmed: true } };
  return { role: 'user', parts: [{ functionResponse }] };
}
