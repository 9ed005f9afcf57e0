import { BroadcastChannel, type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type ToolCallMessage } from '@skein/contracts';
import { logConsole } from '@skein/platform';
import { type ExecutedTool } from '../../calls/tool-outcome';
import { type CallOrder, type IsolateNews } from '../isolate-messages';
import { type ThreadData } from '../thread-data';
import { AtRest } from './at-rest';
import { forwardingLogger } from './forwarding-logger';
import { IsolatedApps } from './isolated-apps';
import { outliveCalls } from './outlive-calls';

interface ThreadTask {
  readonly message: ToolCallMessage;
  readonly port: MessagePort;
}

/** What a thread of the pool runs: it is ready once the promise of its handler is settled. */
async function loadApps(): Promise<(task: ThreadTask) => Promise<ExecutedTool>> {
  const { settings, leaving, restMs } = workerData as ThreadData; // As the pool gives it.
  const logger = forwardingLogger((line) => parentPort?.postMessage(line));
  logConsole(logger);
  let crashing: MessagePort | undefined;
  outliveCalls(logger, (message) => {
    crashing?.postMessage({ type: 'crashed', message });
    process.exit(1);
  });
  const apps = new IsolatedApps(settings);
  const leave = async (): Promise<void> => {
    await apps.close();
    parentPort?.postMessage({ type: 'closed' } satisfies IsolateNews);
  };
  new BroadcastChannel(leaving).onmessage = () => void leave();
  await apps.preload(logger);
  const atRest = new AtRest(restMs, () => void apps.closeIdle());
  return ({ message, port }) =>
    atRest.during(async () => {
      crashing = port;
      const call = apps.begin(message, (news) => port.postMessage(news));
      port.on('message', (order: CallOrder) => call.order(order));
      try {
        return await call.executed;
      } finally {
        crashing = undefined;
        port.close();
      }
    });
}

export default loadApps();
