import './with-resolvers';
import { type ObjectContext, object, serve } from '@restatedev/restate-sdk';
import { anEvent, type StoredEvent } from '../event';
import { type Content, modelAnswers } from '../script';
import type { Tools } from './tool-service';

/** A session is a virtual object: one turn at a time, its events kept as its state. */
const session = object({
  name: 'session',
  handlers: {
    turn: async (ctx: ObjectContext, text: string): Promise<string> => {
      const events = (await ctx.get<StoredEvent[]>('events')) ?? [];
      const invocationId = ctx.request().id.toString();
      // Its time comes from the journal, so that a turn played again stores the same event.
      const say = (author: StoredEvent['author'], content: Content, timestamp: number): void => {
        events.push(anEvent(events.length, { invocationId, author, content }, timestamp));
      };
      const modelAfter = async (content: Content, author: StoredEvent['author']): Promise<Content> => {
        const { answer, timestamp } = await ctx.run('model', () => ({
          answer: modelAnswers([...events.map((event) => event.content), content]),
          timestamp: Date.now() / 1000,
        }));
        say(author, content, timestamp);
        say('bench', answer, timestamp);
        return answer;
      };

      const called = await modelAfter({ role: 'user', parts: [{ text }] }, 'user');
      const call = called.parts[0]?.functionCall;
      if (!call) throw new Error('the model called no tool');
      const response = await ctx.serviceClient<Tools>({ name: 'tools' }).add(call.args);
      const result: Content = { role: 'user', parts: [{ functionResponse: { name: 'add', response } }] };
      const answer = await modelAfter(result, 'bench');
      ctx.set('events', events);
      return answer.parts[0]?.text ?? '';
    },
  },
});

void serve({ services: [session], port: Number(process.argv[2]) });
