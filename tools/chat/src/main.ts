import { parseChatArguments, usage, UsageError } from './chat-arguments';
import { ChatError } from './chat-error';
import { converse } from './conversation';
import { findStack } from './find-stack';
import { GatewayClient } from './gateway-client';
import { openSession } from './open-session';

async function main(): Promise<number> {
  const chat = parseChatArguments(process.argv.slice(2));
  if (chat === undefined) {
    process.stdout.write(usage);
    return 0;
  }
  const { DATA_DIR: dataDir = '' } = process.env;
  const url = chat.url ?? findStack(dataDir === '' ? '.skein' : dataDir);
  const client = new GatewayClient(url, chat.app, chat.user);
  const session = await openSession(
    client,
    { ...chat, url: dataDir === '' ? chat.url : url },
    process.stdout,
  );
  const isWell = await converse(client, session, {
    input: process.stdin,
    output: process.stdout,
    onInterrupt: (interrupt) => process.on('SIGINT', interrupt),
  });
  // A person has seen the error; a script that pipes its lines in must learn of it.
  return isWell || process.stdin.isTTY ? 0 : 1;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    if (error instanceof UsageError) {
      console.error(`${error.message}\n\n${usage}`);
      process.exit(2);
    }
    console.error(error instanceof ChatError ? error.message : error);
    process.exit(1);
  },
);
