import { type Event } from '@skein/contracts';
import { Context } from '../agent/context';
import { type InvocationContext } from '../agent/invocation-context';
import { type LlmAgent } from '../agent/llm-agent';
import { CodeExecutionTool } from '../code-executor/code-execution-tool';
import { createEventActions } from '../event/create-event';
import { dispatchIdOf } from '../journal/event-id';
import { SKIPPED_MODEL } from './answers-of';

/** Runs the code an answer holds, where the agent's executor is placed, and yields what it gave. */
export async function* runCode(
  agent: LlmAgent,
  context: InvocationContext,
  answer: Event,
): AsyncGenerator<Event, void> {
  const executable = answer.content?.parts?.at(-1)?.executableCode;
  if (!agent.codeExecutor || executable?.code === undefined) return;
  const stepKey = context.frame.step('code');
  const dispatchId = dispatchIdOf(context.invocationId, stepKey, 0);
  const step = { stepKey, appliedCalls: [dispatchId] };
  const stored = context.ledger.takeStored(step);
  if (stored) {
    yield stored;
    return;
  }
  await context.beginNew();

  context.course.assertNoneLeftOut(context.frame, stepKey);
  const tool = new CodeExecutionTool(agent.codeExecutor);
  const actions = createEventActions();
  const toolContext = new Context(context, {
    actions,
    functionCallId: dispatchId,
    idempotencyKey: dispatchId,
  });
  const args = { code: executable.code, language: languageOf(executable) };
  const { outcome, execution } = await context.invocation.toolExecutor.execute(
    { dispatchId, stepKey, index: 0, callId: dispatchId, agentName: agent.name, tool, args },
    toolContext,
  );
  const result = outcome.kind === 'result' ? outcome.value : { stdout: '', stderr: outcome.message };
  yield context.ledger.createStepEvent(step, {
    content: { role: 'model', parts: [{ codeExecutionResult: CodeExecutionTool.resultPart(result) }] },
    actions,
    customMetadata: {
      [SKIPPED_MODEL]: true,
      ...(execution ? { 'skein.tools': [{ callId: dispatchId, tool: tool.name, ...execution }] } : {}),
    },
  });
}

function languageOf({ language }: Readonly<Record<string, unknown>>): string {
  return typeof language === 'string' ? language.toLowerCase() : '';
}
