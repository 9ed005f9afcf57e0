import { createEvent, CustomAgent } from '@skein/adk';
import { setTimeout as pause } from 'node:timers/promises';
import { says, scripted } from '../_shared/script';
import { noteEffect } from '../_shared/note-effect';

const clerk = scripted('clerk', [says('Booked.')]);

/** Code of an author's own: steps that run once, draws, and an agent between them. */
export const rootAgent = new CustomAgent({
  name: 'ledger',
  subAgents: [clerk],
  run: async function* (context) {
    const { session, invocationId } = context;
    const reserve = async (): Promise<number> => {
      noteEffect({
        phase: 'begin',
        tool: 'reserve',
        sideEffect: 'idempotent',
        sessionId: session.id,
        idempotencyKey: `${invocationId}/reserve`,
      });
      await pause(10);
      return 7;
    };
    const reserved = await context.step('reserve', reserve);
    // Drawn once: what is said below has to fit it whoever says it.
    const drawn = context.random();
    yield* clerk.runAsync(context);
    const checked = await context.step('check', () => (drawn >= 0 && drawn < 1 ? 'checked' : 'wrong'));
    yield createEvent({
      id: context.uuid(),
      timestamp: context.now() / 1000,
      invocationId,
      author: 'ledger',
      content: { role: 'model', parts: [{ text: `Reserved ${reserved}, ${checked}.` }] },
      actions: { stateDelta: { reserved } },
    });
  },
});
