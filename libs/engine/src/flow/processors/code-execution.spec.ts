import { type Event, type Part } from '@skein/contracts';
import { FakeLlm, runTurn, text, type TurnOptions } from '@skein/testing';
import { LlmAgent } from '../../agent/llm-agent';
import {
  BaseCodeExecutor,
  type CodeExecutionInput,
  type CodeExecutionResult,
} from '../../code-executor/base-code-executor';
import { type LlmResponse } from '../../model/llm-response';
import { FunctionTool } from '../../tool/function-tool';
import { type ExecutedCall, type ToolCall, ToolExecutor } from '../../tool/tool-executor';

/** Answers the code it was given. */
class EchoExecutor extends BaseCodeExecutor {
  readonly ran: CodeExecutionInput[] = [];

  constructor(private readonly answer?: () => CodeExecutionResult) {
    super({ timeoutMs: 5_000, pool: 'code' });
  }

  override async executeCode(input: CodeExecutionInput): Promise<CodeExecutionResult> {
    this.ran.push(input);
    return this.answer?.() ?? { stdout: `ran ${input.code}`, stderr: '' };
  }
}

const fenced = (code: string, language = 'python'): string => `\`\`\`${language}\n${code}\n\`\`\``;

async function play(
  answers: readonly LlmResponse[],
  executor = new EchoExecutor(),
  options: TurnOptions = {},
) {
  const model = new FakeLlm(answers.map((answer) => [answer]));
  const look = new FunctionTool({ name: 'look', description: '', execute: () => 'seen' });
  const agent = new LlmAgent({ name: 'root', model, codeExecutor: executor, tools: [look] });
  return { model, executor, agent, turn: await runTurn(agent, options) };
}

function partsOf(events: readonly Event[]): (readonly Part[])[] {
  return events.map(({ content }) => content?.parts ?? []);
}

describe('an agent with a code executor', () => {
  it('has the code of an answer run, and the model go on from what it gave', async () => {
    const { turn, executor, model } = await play([text(`I compute.\n${fenced('6*7')}`), text('It is 42.')]);

    expect(partsOf(turn.events)).toEqual([
      [{ text: 'I compute.\n' }, { executableCode: { code: '6*7', language: 'PYTHON' } }],
      [{ codeExecutionResult: { outcome: 'OUTCOME_OK', output: 'ran 6*7' } }],
      [{ text: 'It is 42.' }],
    ]);
    expect(executor.ran).toEqual([{ code: '6*7', language: 'python' }]);
    expect(model.requests).toHaveLength(2);
  });

  it('shows the model its code and the result as the text it knows, the result not as its own words', async () => {
    const { model } = await play([text(fenced('6*7')), text('42')]);

    expect(model.requests[1]?.contents.slice(1)).toEqual([
      { role: 'model', parts: [{ text: '```tool_code\n6*7\n```' }] },
      { role: 'user', parts: [{ text: '```tool_output\nran 6*7\n```' }] },
    ]);
  });

  it('drops what the model made up behind its code', async () => {
    const { turn } = await play([text(`${fenced('6*7')}\nIt printed 43.`), text('42')]);

    expect(JSON.stringify(turn.events)).not.toContain('It printed');
  });

  it('runs the first block only, in the language it is in', async () => {
    const { executor } = await play([text(`${fenced('1', 'javascript')}\n${fenced('2')}`), text('done')]);

    expect(executor.ran).toEqual([{ code: '1', language: 'javascript' }]);
  });

  it('reads code the provider gave as a part of its own', async () => {
    const executableCode = { code: '6*7', language: 'PYTHON' };
    const { executor } = await play([
      { content: { role: 'model', parts: [{ executableCode }] } },
      text('42'),
    ]);

    expect(executor.ran).toEqual([{ code: '6*7', language: 'python' }]);
  });

  it('leaves thoughts, calls and text without code alone', async () => {
    const thought: LlmResponse = {
      content: { role: 'model', parts: [{ text: fenced('1'), thought: true }, { text: 'no code' }] },
    };
    const call: LlmResponse = {
      content: { role: 'model', parts: [{ text: fenced('1') }, { functionCall: { id: 'c', name: 'look' } }] },
    };

    const { executor, turn } = await play([call, thought]);

    expect(executor.ran).toEqual([]);
    expect(turn.events.map(({ content }) => content?.parts)).toEqual([
      call.content?.parts,
      [expect.objectContaining({ functionResponse: expect.anything() })],
      thought.content?.parts,
    ]);
  });

  it('tells the model what the code did wrong, and what the executor could not do', async () => {
    const wrong = await play(
      [text(fenced('x')), text('done')],
      new EchoExecutor(() => ({ stdout: 'a', stderr: 'Bad.' })),
    );
    const broken = await play(
      [text(fenced('x')), text('done')],
      new EchoExecutor(() => {
        throw new Error('No room.');
      }),
    );

    expect([wrong, broken].map(({ turn }) => turn.events[1]?.content?.parts)).toEqual([
      [{ codeExecutionResult: { outcome: 'OUTCOME_FAILED', output: 'Bad.' } }],
      [{ codeExecutionResult: { outcome: 'OUTCOME_FAILED', output: 'No room.' } }],
    ]);
  });

  it('dispatches code as a call of the tool plane, under a key of its own, and notes who ran it', async () => {
    const dispatched: ToolCall[] = [];
    const toolExecutor = new (class extends ToolExecutor {
      override async execute(call: ToolCall): Promise<ExecutedCall> {
        dispatched.push(call);
        return {
          outcome: { kind: 'result', value: { stdout: 'there', stderr: '' } },
          execution: { worker: 'w', pid: 7, attempt: 1, durationMs: 1 },
        };
      }
    })();

    const { turn } = await play([text(fenced('6*7')), text('42')], new EchoExecutor(), { toolExecutor });

    expect(dispatched).toMatchObject([
      {
        stepKey: '0/root.0/code.0',
        index: 0,
        agentName: 'root',
        args: { code: '6*7', language: 'python' },
        tool: { name: 'adk_execute_code', placement: 'worker', pool: 'code', policy: { timeoutMs: 5_000 } },
      },
    ]);
    expect(turn.events[1]?.customMetadata).toMatchObject({
      'skein.tools': [{ callId: dispatched[0]?.dispatchId, tool: 'adk_execute_code', worker: 'w', pid: 7 }],
    });
  });

  it.each([1, 2, 3, 4])(
    'after a cut behind %i events goes on where it was, and runs stored code no more',
    async (after) => {
      const { agent, executor, model, turn } = await play([text(fenced('6*7')), text('42')]);

      const again = await runTurn(agent, { journal: turn.journal.cutAfter(after) });

      expect(again.events).toEqual(turn.events);
      expect(executor.ran).toHaveLength(after < 3 ? 2 : 1);
      const askedAgain = [2, 1, 1, 0][after - 1] ?? 0;
      expect(model.requests).toHaveLength(2 + askedAgain);
    },
  );
});

it('an agent without one leaves code as the text it is', async () => {
  const model = new FakeLlm([[text(fenced('6*7'))]]);

  const { events } = await runTurn(new LlmAgent({ name: 'root', model }));

  expect(events[0]?.content?.parts).toEqual([{ text: fenced('6*7') }]);
});
