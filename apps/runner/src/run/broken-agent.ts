import { type Event } from '@skein/contracts';
import { BaseAgent } from '@skein/engine';

/** Stands in for an agent whose file cannot be loaded: its runs fail with the reason, stored where the user sees it. */
export class BrokenAgent extends BaseAgent {
  constructor(
    appName: string,
    private readonly reason: unknown,
  ) {
    // An app name may hold `-`, an agent's may not.
    super({ name: appName.replaceAll('-', '_') });
  }

  // eslint-disable-next-line require-yield -- it has nothing to say but its reason.
  protected override async *runAsyncImpl(): AsyncGenerator<Event, void> {
    throw this.reason;
  }
}
