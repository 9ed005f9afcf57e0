import {
  AgentTool,
  App,
  ExitLoopTool,
  FunctionTool,
  LlmAgent,
  LoopAgent,
  ParallelAgent,
  ScriptedLlm,
  SequentialAgent,
  type ToolContext,
} from '@skein/adk';
import { note } from '../_shared/effects';
import { calls, type ScriptedCall } from '../_shared/script';

function tool(name: string, requireConfirmation = false): FunctionTool {
  return new FunctionTool({
    name,
    description: `Does ${name}.`,
    requireConfirmation,
    execute: (_args: unknown, context: ToolContext) => {
      note(name, context, 'begin');
      const key = `did_${name}`;
      context.state.set(key, Number(context.state.get(key) ?? 0) + 1);
      note(name, context, 'end');
      return { did: name };
    },
  });
}

/** Calls its tools one after the other, then says what it did. */
function worker(
  name: string,
  tools: readonly (FunctionTool | AgentTool | ExitLoopTool)[],
  script: ScriptedCall[],
) {
  return new LlmAgent({
    name,
    tools: [...tools],
    model: new ScriptedLlm({
      name,
      responses: [
        ...script.map((call) => calls(call)),
        { content: { role: 'model', parts: [{ text: `${name} is done.` }] } },
      ],
    }),
  });
}

const adviser = worker('adviser', [tool('look_up')], [{ name: 'look_up' }]);

/** Every way of composing agents that a run can be in when its process dies. One message is one whole run of it. */
const rootAgent = new SequentialAgent({
  name: 'pipeline',
  subAgents: [
    worker(
      'planner',
      [new AgentTool({ agent: adviser }), tool('sign', true)],
      [{ name: 'adviser', args: { request: 'advise' } }, { name: 'sign' }],
    ),
    new ParallelAgent({
      name: 'side_by_side',
      subAgents: [
        worker('left', [tool('lift_left')], [{ name: 'lift_left' }]),
        worker('right', [tool('lift_right')], [{ name: 'lift_right' }]),
      ],
    }),
    new LoopAgent({
      name: 'again',
      maxIterations: 5,
      subAgents: [
        worker(
          'looper',
          [tool('step'), new ExitLoopTool()],
          [{ name: 'step' }, { name: 'step' }, { name: 'exit_loop' }],
        ),
      ],
    }),
  ],
});

/** Resumable, so that it stands still where it asks, and goes on behind that. */
export const app = new App({ name: 'pipeline', rootAgent, resumabilityConfig: { isResumable: true } });
