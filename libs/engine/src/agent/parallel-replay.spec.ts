import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { type Event } from '@skein/contracts';
import { anEvent, runTurn, text, type Turn } from '@skein/testing';
import { BaseLlm } from '../model/base-llm';
import { type LlmRequest } from '../model/llm-request';
import { type LlmResponse } from '../model/llm-response';
import { CustomAgent } from './custom-agent';
import { LlmAgent } from './llm-agent';
import { ParallelAgent } from './parallel-agent';
import { SequentialAgent } from './sequential-agent';

/** Lets models answer in the order their agents are named; those that are stored already had their turn. */
class Turnstile {
  readonly asked: string[] = [];
  #turn: number;

  constructor(
    private readonly order: readonly string[],
    stored = 0,
  ) {
    this.#turn = stored;
  }

  model(name: string): BaseLlm {
    return new TurnstileLlm(name, this);
  }

  async pass(name: string, request: LlmRequest): Promise<void> {
    this.asked.push(`${name} ${String(request.config.systemInstruction).split('\n')[0] ?? ''}`);
    for (let patience = 1_000; this.order[this.#turn] !== name; patience--) {
      if (patience === 0) throw new Error(`${name} waits for ${this.order[this.#turn]}`);
      await turnOfTheLoop();
    }
    this.#turn += 1;
    // Whoever was let through before is in the log by now.
    await turnOfTheLoop();
  }
}

class TurnstileLlm extends BaseLlm {
  constructor(
    private readonly agentName: string,
    private readonly turnstile: Turnstile,
  ) {
    super({ model: 'turnstile' });
  }

  override async *generateContentAsync(request: LlmRequest): AsyncGenerator<LlmResponse, void> {
    await this.turnstile.pass(this.agentName, request);
    yield text(this.agentName);
  }
}

const ORDERS = [
  ['a1', 'b1', 'b2', 'a2', 'c1', 'c2'],
  ['b1', 'b2', 'a1', 'a2', 'c1', 'c2'],
  ['c1', 'b1', 'c2', 'a1', 'b2', 'a2'],
];

/** Each agent is told who spoke last in any branch when it is asked. */
function aTree(turnstile: Turnstile): ParallelAgent {
  const speaker = (name: string) =>
    new LlmAgent({ name, model: turnstile.model(name), instruction: 'after {last?}', outputKey: 'last' });
  const row = (name: string) =>
    new SequentialAgent({ name, subAgents: [speaker(`${name}1`), speaker(`${name}2`)] });
  const inner = new ParallelAgent({ name: 'inner', subAgents: [row('a'), row('b')] });
  return new ParallelAgent({ name: 'outer', subAgents: [inner, row('c')] });
}

function outline({ session }: Turn): string[] {
  return session.events.map(({ author }) => author);
}

describe('agents side by side, after a crash', () => {
  it.each(ORDERS.flatMap((order) => order.map((_name, stored) => ({ order, stored }))))(
    'go on in the order of the log with what each saw then: $order cut after $stored',
    async ({ order, stored }) => {
      const before = new Turnstile(order);
      const whole = await runTurn(aTree(before));
      const after = new Turnstile(order, stored);

      const resumed = await runTurn(aTree(after), { journal: whole.journal.cutAfter(1 + stored) });

      expect(outline(whole)).toEqual(['user', ...order]);
      expect(outline(resumed)).toEqual(outline(whole));
      const missing = before.asked.filter((line) => !order.slice(0, stored).includes(line.slice(0, 2)));
      expect(after.asked.toSorted()).toEqual(missing.toSorted());
    },
  );

  it('give a step the log it saw when it ended, not that of its beginning', async () => {
    const reader = () =>
      new CustomAgent({
        name: 'reader',
        async *run(context) {
          await context.step('wait', async () => {
            while (context.session.state.last === undefined) await turnOfTheLoop();
          });
          yield speech(context.session.state.last === undefined ? 'nobody spoke' : 'somebody spoke');
        },
      });
    const tree = () => {
      const speaker = new LlmAgent({ name: 'w', model: new Turnstile(['w']).model('w'), outputKey: 'last' });
      return new ParallelAgent({ name: 'outer', subAgents: [reader(), speaker] });
    };
    const whole = await runTurn(tree());

    const resumed = await runTurn(tree(), { journal: whole.journal.cutAfter(2, 99) });

    expect(whole.session.events.at(-1)).toMatchObject({ content: speech('somebody spoke').content });
    expect(resumed.session.events.at(-1)).toMatchObject({ content: speech('somebody spoke').content });
  });

  it('do not wait for a stored event that no code comes to', async () => {
    const order = ['b1', 'b2', 'a1', 'a2', 'c1', 'c2'];
    const whole = await runTurn(aTree(new Turnstile(order)));
    const shorter = new ParallelAgent({
      name: 'outer',
      subAgents: [new LlmAgent({ name: 'new', model: new Turnstile(['new']).model('new') })],
    });

    const { error } = await runTurn(shorter, { journal: whole.journal.cutAfter(3) });

    // Nobody waits for ever: it is told.
    expect(error).toMatchObject({ code: 'REPLAY_DIVERGED' });
  });

  it('end when the run is cancelled while they wait for one another', async () => {
    const order = ['b1', 'b2', 'a1', 'a2', 'c1', 'c2'];
    const whole = await runTurn(aTree(new Turnstile(order)));
    const controller = new AbortController();
    const stuck = new CustomAgent({
      name: 'c',
      // eslint-disable-next-line require-yield -- it never comes to it.
      async *run() {
        queueMicrotask(() => controller.abort(new Error('Cancelled.')));
        await new Promise(() => undefined);
      },
    });
    const waiting = new LlmAgent({ name: 'new', model: new Turnstile(['new']).model('new') });
    const root = new ParallelAgent({ name: 'outer', subAgents: [waiting, stuck] });

    const { error } = await runTurn(root, { journal: whole.journal.cutAfter(3), signal: controller.signal });

    expect(error).toMatchObject({ message: 'Cancelled.' });
  });
});

function speech(said: string): Event {
  return anEvent({ author: 'reader', content: { role: 'model', parts: [{ text: said }] } });
}
