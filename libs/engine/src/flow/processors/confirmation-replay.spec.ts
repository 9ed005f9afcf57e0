import { type Content } from '@skein/contracts';
import { aSession, calls, FakeLlm, runTurn, text } from '@skein/testing';
import { requestIdsOf } from '../../../test/confirmations';
import { LlmAgent } from '../../agent/llm-agent';
import { FunctionTool } from '../../tool/function-tool';

function allowing(id: string): Content {
  const response = { confirmed: true };
  return { role: 'user', parts: [{ functionResponse: { id, name: 'adk_request_confirmation', response } }] };
}

describe('a confirmed turn that was cut', () => {
  const script = [[calls({ id: 'c1', name: 'pay' }, { id: 'c2', name: 'free' })], [text('done')]];

  async function play(segmentCut?: { readonly segment: 0 | 1; readonly after: number }) {
    const ran: string[] = [];
    const model = new FakeLlm(script);
    const tools = ['pay', 'free'].map(
      (name) =>
        new FunctionTool({
          name,
          description: '',
          requireConfirmation: name === 'pay',
          execute: () => void ran.push(name),
        }),
    );
    const agent = new LlmAgent({ name: 'root', model, tools });
    const whole = await runTurn(agent);
    const between = structuredClone(whole.session);
    const first =
      segmentCut?.segment === 0
        ? await runTurn(agent, { journal: whole.journal.cutAfter(segmentCut.after) })
        : whole;
    const said = allowing(requestIdsOf(first.events)[0] ?? '');
    const second = await runTurn(agent, { session: first.session, journal: first.journal, said, segment: 1 });
    if (segmentCut?.segment !== 1) return { ran, model, events: [...first.events, ...second.events] };
    const journal = second.journal.cutAfter(between.events.length + segmentCut.after);
    const again = await runTurn(agent, { session: aSession(between), journal, said, segment: 1 });
    return { ran, model, events: [...first.events, ...again.events] };
  }

  it.each([1, 2, 3, 4])(
    'after its first %i events before the answer asks no model or tool again (B33)',
    async (after) => {
      const uncut = await play();

      const cut = await play({ segment: 0, after });

      expect(cut.events).toEqual(uncut.events);
      // What was stored is not asked for again; the cut itself loses what was not.
      const lostModel = after < 2 ? 1 : 0;
      const lostTool = after < 4 ? 1 : 0;
      expect(cut.model.requests).toHaveLength(uncut.model.requests.length + lostModel);
      expect(cut.ran).toHaveLength(uncut.ran.length + lostTool);
    },
  );

  it.each([0, 1, 2, 3])(
    'after %i events of the answered part runs the allowed call as little (B33)',
    async (after) => {
      const uncut = await play();

      const cut = await play({ segment: 1, after });

      expect(cut.events).toEqual(uncut.events);
      expect(cut.ran.filter((name) => name === 'pay')).toHaveLength(after < 2 ? 2 : 1);
      expect(cut.model.requests).toHaveLength(uncut.model.requests.length + (after < 3 ? 1 : 0));
    },
  );
});
