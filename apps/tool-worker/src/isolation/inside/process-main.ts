import { logConsole } from '@skein/platform';
import { type CallOrder, isolateOrderSchema, type IsolateNews } from '../isolate-messages';
import { forwardingLogger } from './forwarding-logger';
import { IsolatedApps } from './isolated-apps';
import { endGroup } from './end-group';
import { outliveCalls } from './outlive-calls';
import { startProcessGuard } from './process-guard';

/** How long a crash waits until its reason is written. */
const LAST_WORDS_MS = 500;

let apps: IsolatedApps | undefined;
let current: { readonly number: number; readonly order: (order: CallOrder) => void } | undefined;
let wornAtBytes = Infinity;

const exit = process.exit.bind(process);
const logger = forwardingLogger((line) => send(line));
logConsole(logger);
outliveCalls(logger, (message) => {
  setTimeout(() => exit(1), LAST_WORDS_MS);
  const { number = 0 } = current ?? {};
  send({ type: 'news', number, news: { type: 'crashed', message } }, () => exit(1));
});
// Who asks the whole group to end asks the worker, which ends its processes when their calls are done.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.on('disconnect', endGroup);
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
      const { number, message } = heard;
      const call = apps?.begin(message, (news) => send({ type: 'news', number, news }));
      if (!call) throw new Error('A call came before the settings.');
      current = { number, order: (order) => call.order(order) };
      const executed = await call.executed;
      current = undefined;
      send({ type: 'done', number, executed, isWorn: process.memoryUsage.rss() > wornAtBytes });
      return;
    }
    case 'leave':
      await apps?.close();
      endGroup();
      return;
    case 'order':
      // Of a call that is over: whoever asked for it asks no more.
      if (heard.number === current?.number) current.order(heard.order);
  }
}

function send(news: IsolateNews, sent: () => void = () => undefined): void {
  // The worker is gone: 'disconnect' ends this process.
  if (process.connected) process.send?.(news, undefined, undefined, sent);
  else sent();
}
