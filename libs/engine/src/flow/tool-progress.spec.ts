import { AdkError, type Event } from '@skein/contracts';
import { calls, FakeLlm, runTurn, text, type Turn } from '@skein/testing';
import { LlmAgent } from '../agent/llm-agent';
import { getFunctionResponses } from '../event/function-parts';
import { eventIdOf } from '../journal/event-id';
import { FunctionTool, type FunctionToolParams } from '../tool/function-tool';

type Execute = FunctionToolParams<undefined>['execute'];

const CALL = { id: 'c0', name: 'work', args: {} };
const STREAMED = { streamingMode: 'sse' } as const;

function runTool(execute: Execute, runConfig: { streamingMode?: 'sse' | 'none' } = STREAMED): Promise<Turn> {
  const model = new FakeLlm([[calls(CALL)], [text('done')]]);
  const tool = new FunctionTool({ name: 'work', description: 'Works.', execute });
  return runTurn(new LlmAgent({ name: 'root', model, tools: [tool] }), { runConfig });
}

/** Lets whoever reads the run take what it was told. */
async function shown(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

function told({ events }: Turn): unknown[] {
  return events
    .filter(({ partial }) => partial)
    .flatMap(getFunctionResponses)
    .map(({ response }) => response?.progress);
}

function answerOf({ events }: Turn): Event {
  const answer = events.find((event) => !event.partial && getFunctionResponses(event).length > 0);
  if (!answer) throw new Error('The call was not answered.');
  return answer;
}

describe('ctx.progress', () => {
  it('shows how far a call has got, as pieces of the event that answers it', async () => {
    const turn = await runTool(async (_args, context) => {
      context.progress({ percent: 10 });
      await shown();
      context.progress('nearly');
      await shown();
      return { ok: true };
    });

    const pieces = turn.events.filter(({ partial }) => partial);
    const answer = answerOf(turn);
    expect(pieces.map(({ content }) => content?.parts)).toEqual(
      [{ percent: 10 }, 'nearly'].map((progress) => [
        { functionResponse: { id: 'c0', name: 'work', response: { progress }, willContinue: true } },
      ]),
    );
    expect(pieces).toEqual(
      pieces.map((piece) => ({
        ...piece,
        ...{ id: answer.id, author: 'root', invocationId: answer.invocationId },
      })),
    );
    expect(turn.events.slice(-2)).toEqual([answer, expect.objectContaining({ author: 'root' })]);
  });

  it('is never stored, and the answer is as it is without', async () => {
    const turn = await runTool(async (_args, context) => {
      context.progress(1);
      await shown();
      return { ok: true };
    });

    expect(turn.session.events.some(({ partial }) => partial)).toBe(false);
    expect(getFunctionResponses(answerOf(turn))).toEqual([
      { id: 'c0', name: 'work', response: { ok: true } },
    ]);
    expect(answerOf(turn).id).toBe(eventIdOf(answerOf(turn).invocationId, '0/root.0/tools.0'));
  });

  it('shows the latest of what was told while nobody looked', async () => {
    const turn = await runTool(async (_args, context) => {
      for (let n = 0; n < 10_000; n++) context.progress(n);
      await shown();
    });

    expect(told(turn)).toEqual([9_999]);
  });

  it('shows nothing to whoever asked for whole events', async () => {
    const turn = await runTool(
      async (_args, context) => {
        context.progress(1);
        await shown();
      },
      { streamingMode: 'none' },
    );

    expect(told(turn)).toEqual([]);
    expect(answerOf(turn)).toBeDefined();
  });

  it('is void once the call is answered', async () => {
    let late: () => void = () => undefined;
    const turn = await runTool((_args, context) => {
      late = () => context.progress('late');
      return 'quick';
    });
    late();

    expect(told(turn)).toEqual([]);
  });

  it.each([
    ['a function', () => () => 1],
    ['a cycle', () => aCycle()],
    ['more than 64 KiB', () => 'x'.repeat(65 * 1024)],
  ])('refuses %s in the tool', async (_what, value) => {
    let thrown: unknown;
    await runTool((_args, context) => {
      try {
        context.progress(value());
      } catch (error) {
        thrown = error;
      }
    });

    expect(AdkError.isInstance(thrown) && thrown.code).toBe('tool.progress');
  });

  it('is for tools, and so is ctx.heartbeat', async () => {
    const codes: unknown[] = [];
    const model = new FakeLlm([[text('hello')]]);
    const agent = new LlmAgent({
      name: 'root',
      model,
      beforeModelCallback: ({ context }) => {
        for (const tell of [() => context.progress(1), () => context.heartbeat()]) {
          try {
            tell();
          } catch (error) {
            codes.push(AdkError.isInstance(error) && error.code);
          }
        }
        return undefined;
      },
    });

    await runTurn(agent, { runConfig: STREAMED });

    expect(codes).toEqual(['context.no-call', 'context.no-call']);
  });
});

function aCycle(): object {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  return cycle;
}
