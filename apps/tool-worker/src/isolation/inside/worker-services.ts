import { AdkError } from '@skein/contracts';
import { ArtifactService, MemoryService } from '@skein/engine';
import { type CallNews, type CallOrder, SERVICE_METHODS } from '../isolate-messages';

type Answer = Extract<CallOrder, { type: 'reply' | 'refusal' }>;

/** The services of the worker as one call sees them from inside: each request goes out, and waits for its answer. */
export class WorkerServices {
  readonly artifacts = forwarding(ArtifactService, SERVICE_METHODS.artifacts, this.#ask('artifacts'));
  readonly memory = forwarding(MemoryService, SERVICE_METHODS.memory, this.#ask('memory'));
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #requests = 0;

  constructor(private readonly post: (news: CallNews) => void) {}

  answered(answer: Answer): void {
    this.#waiting.get(answer.id)?.(answer);
    this.#waiting.delete(answer.id);
  }

  #ask(service: 'artifacts' | 'memory'): (method: string, argument: unknown) => Promise<unknown> {
    return (method, argument) =>
      new Promise((resolve, reject) => {
        const id = ++this.#requests;
        this.#waiting.set(id, (answer) => {
          if (answer.type === 'reply') resolve(answer.value);
          else reject(AdkError.fromWire(answer.error));
        });
        this.post({ type: 'request', id, service, method, argument });
      });
  }
}

/** A port all of whose methods, each with one argument, are asked elsewhere. */
function forwarding<Port extends object>(
  port: abstract new () => Port,
  methods: readonly (keyof Port & string)[],
  ask: (method: string, argument: unknown) => Promise<unknown>,
): Port {
  const asked = methods.map((method) => [method, (argument: unknown) => ask(method, argument)]);
  // All of the port's methods are in the list, which the compiler cannot see.
  return Object.assign(Object.create(port.prototype as object), Object.fromEntries(asked)) as Port;
}
