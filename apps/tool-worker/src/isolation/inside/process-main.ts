import { logConsole } from '@skein/platform';
import { isolateOrderSchema, type IsolateNews } from '../isolate-messages';
import { forwardingLogger } from './forwarding-logger';
import { IsolatedApps } from './isolated-apps';
import { outliveCalls } from './outlive-calls';
import { startProcessGuard } from './process-guard';

/** How long a crash waits until its reason is written. */
const LAST_WORDS_MS = 500;

let apps: IsolatedApps | undefined;
let order: ReturnType<IsolatedApps['begin']>['order'] = () => undefined;
let wornAtBytes = Infinity;

const exit = process.exit.bind(process);
const logger = forwardingLogger((line) => send(line));
logConsole(logger);
outliveCalls(logger, (message) => {
  setTimeout(() => exit(1), LAST_WORDS_MS);
  send({ type: 'news', news: { type: 'crashed', message } }, () => exit(1));
});
// Who asks the whole group to end asks the worker, which ends its processes when their calls are done.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on('disconnect', () => exit(0));
process.on('message', (said) => void hear(said));

async function hear(said: unknown): Promise<void> {
  const heard = isolateOrderSchema.parse(said);
  switch (heard.type) {
    case 'settings': {
      apps = new IsolatedApps(heard.settings);
      await apps.preload(logger);
      const { rss } = process.memoryUsage();
      const { memoryLimitBytes } = heard.settings;
      startProcessGuard(rss + memoryLimitBytes);
      wornAtBytes = rss + memoryLimitBytes / 2;
      send({ type: 'ready' });
      return;
    }
    case 'call': {
      const call = apps?.begin(heard.message, (news) => send({ type: 'news', news }));
      if (!call) throw new Error('A call came before the settings.');
      order = (given) => call.order(given);
      const executed = await call.executed;
      send({ type: 'done', executed, isWorn: process.memoryUsage.rss() > wornAtBytes });
      return;
    }
    case 'order':
      order(heard.order);
  }
}

function send(news: IsolateNews, sent: () => void = () => undefined): void {
  // The worker is gone: 'disconnect' ends this process.
  if (process.connected) process.send?.(news, undefined, undefined, sent);
  else sent();
}
