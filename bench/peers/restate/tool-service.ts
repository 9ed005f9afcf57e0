import './with-resolvers';
import { type Context, serve, service } from '@restatedev/restate-sdk';
import { add, type AddArguments, type Sum } from '../script';

/** The tool is a service in a process of its own, called by RPC, as Skein's tools are. */
const tools = service({
  name: 'tools',
  handlers: { add: async (_ctx: Context, args: AddArguments): Promise<Sum> => add(args) },
});

export type Tools = typeof tools;

void serve({ services: [tools], port: Number(process.argv[2]) });
