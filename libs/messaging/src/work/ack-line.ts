import { type WorkMessage } from './work-message';

/**
 * Acks messages that are done with, together and a while after: each at the second tick from its own. One that is acked at once
 * mostly is the only one of its stream, and the server makes the stream's file anew for it, before it delivers what came
 * behind the ack. A message whose ack is lost comes again after the ack wait, as ever.
 */
export class AckLine {
  #older: WorkMessage[] = [];
  #newer: WorkMessage[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly tickMs: number) {}

  add(message: WorkMessage): void {
    this.#newer.push(message);
    this.#timer ??= setInterval(() => this.#tick(), this.tickMs);
  }

  /** Acks all that are left, now. */
  end(): void {
    this.#tick();
    this.#tick();
  }

  #tick(): void {
    for (const message of this.#older) message.ack();
    this.#older = this.#newer;
    this.#newer = [];
    if (this.#older.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
