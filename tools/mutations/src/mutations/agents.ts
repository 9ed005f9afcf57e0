import { type Mutation } from '../mutation';

/** The kinds of agents, their tree, what they leave in state. */
export const agentMutations: readonly Mutation[] = [
  {
    rule: 40,
    name: 'an agent runs although before_agent spoke for it',
    file: 'libs/engine/src/agent/run-with-callbacks.ts',
    from: 'if (before?.content) context.endInvocation = true;',
    to: '',
    spec: 'libs/engine/src/agent/base-agent.spec.ts',
    test: 'before_agent that says something takes the place',
  },
  {
    rule: 40,
    name: 'state that a callback sets without a word is lost',
    file: 'libs/engine/src/agent/run-with-callbacks.ts',
    from: 'if (hasEffect(actions)) return',
    to: 'if (!actions) return',
    spec: 'libs/engine/src/agent/base-agent.spec.ts',
    test: 'B40',
  },
  {
    rule: 41,
    name: 'escalation ends a sequence',
    file: 'libs/engine/src/agent/sequential-agent.ts',
    from: '        yield event;',
    to: `        yield event;
        if (event.actions.escalate) return;`,
    spec: 'libs/engine/src/agent/workflow-agents.spec.ts',
    test: 'runs its agents in order, also past one that escalates',
  },
  {
    rule: 42,
    name: 'an agent that escalates does not say the rest',
    file: 'libs/engine/src/agent/loop-agent.ts',
    from: '          yield event;',
    to: `          yield event;
          if (escalated) break;`,
    spec: 'libs/engine/src/agent/workflow-agents.spec.ts',
    test: 'ends with an agent that escalates, once that has said the rest',
  },
  {
    rule: 43,
    name: 'branches of parallel agents do not nest',
    file: 'libs/engine/src/agent/parallel-agent.ts',
    from: 'return branch ? `${branch}.${own}` : own;',
    to: 'return own;',
    spec: 'libs/engine/src/agent/workflow-agents.spec.ts',
    test: 'runs its agents on branches of their own, that nest',
  },
  {
    rule: 43,
    name: 'a parallel agent goes on before its event was taken',
    file: 'libs/engine/src/agent/merge-streams.ts',
    from: `      yield result.value;
      pending.set(stream, next(stream, order));`,
    to: `      pending.set(stream, next(stream, order));
      yield result.value;`,
    spec: 'libs/engine/src/agent/workflow-agents.spec.ts',
    test: 'B43',
  },
  {
    rule: 44,
    name: 'the output is the last text alone',
    file: 'libs/engine/src/flow/keep-output.ts',
    from: 'saidBefore + text;',
    to: 'text;',
    spec: 'libs/engine/src/flow/keep-output.spec.ts',
    test: 'keeps all that was said in the run',
  },
  {
    rule: 44,
    name: 'thoughts are kept with the output',
    file: 'libs/engine/src/flow/keep-output.ts',
    from: ' && !part.thought',
    to: '',
    spec: 'libs/engine/src/flow/keep-output.spec.ts',
    test: 'B44',
  },
  {
    rule: 45,
    name: 'a name may stand twice in a tree',
    file: 'libs/engine/src/agent/agent-tree.ts',
    from: 'if (known) {',
    to: 'if (known === agent) {',
    spec: 'libs/engine/src/agent/agent-tree.spec.ts',
    test: 'has no name twice',
  },
];
