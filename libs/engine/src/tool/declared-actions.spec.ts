import { type EventActions } from '@skein/contracts';
import { calls, FakeLlm, runTurn, text } from '@skein/testing';
import { LlmAgent } from '../agent/llm-agent';
import { createEventActions } from '../event/create-event';
import { declaredOnly } from './declared-actions';
import { FunctionTool } from './function-tool';
import { RemoteTool } from './remote-tool';
import { type ToolAction } from './tool-options';

const everything: EventActions = {
  stateDelta: { plan: 'x', 'user:name': 'Ada', 'app:price': 0, 'temp:note': 1 },
  artifactDelta: { 'report.pdf': 2 },
  requestedAuthConfigs: { c1: {} },
  requestedToolConfirmations: { c1: { hint: '', confirmed: false } },
  skipSummarization: true,
  transferToAgent: 'admin',
  escalate: true,
};

const NAMES: Record<ToolAction, string> = {
  stateDelta: 'stateDelta.plan',
  'user:': 'stateDelta.user:name',
  'app:': 'stateDelta.app:price',
  'temp:': 'stateDelta.temp:note',
  artifactDelta: 'artifactDelta.report.pdf',
  requestedAuthConfigs: 'requestedAuthConfigs.c1',
  requestedToolConfirmations: 'requestedToolConfirmations.c1',
  skipSummarization: 'skipSummarization',
  transferToAgent: 'transferToAgent',
  escalate: 'escalate',
};
const ACTIONS = Object.keys(NAMES) as ToolAction[]; // Its keys are all there are.

describe('what a tool declared that it does (row 18)', () => {
  it('is everything where it says nothing', () => {
    expect(declaredOnly(undefined, everything)).toEqual({ actions: everything, dropped: [] });
  });

  it('is nothing where the list is empty', () => {
    expect(declaredOnly([], everything)).toEqual({
      actions: createEventActions(),
      dropped: Object.values(NAMES),
    });
  });

  it.each(ACTIONS)('keeps %s alone where that is all it declared', (action) => {
    const { actions, dropped } = declaredOnly([action], everything);

    expect(dropped).toEqual(Object.values(NAMES).filter((name) => name !== NAMES[action]));
    expect(declaredOnly([], actions).dropped).toEqual([NAMES[action]]);
  });

  it('names no more than some of what it drops', () => {
    const stateDelta = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`k${n}`, n]));

    const { dropped } = declaredOnly([], { ...createEventActions(), stateDelta });

    expect(dropped).toHaveLength(20);
  });

  it('holds in one process too, and leaves what callbacks did', async () => {
    const model = new FakeLlm([[calls({ id: 'c0', name: 'write', args: {} })], [text('done')]]);
    const tool = new FunctionTool({
      name: 'write',
      description: '',
      actions: ['stateDelta'],
      execute: (_args, { state, actions }) => {
        state.update({ mine: 1, 'app:price': 0 });
        actions.transferToAgent = 'admin';
        return 'written';
      },
    });
    const turn = await runTurn(
      new LlmAgent({
        name: 'root',
        model,
        tools: [tool],
        beforeToolCallback: ({ context }) => {
          context.state.set('app:seen', true);
          return undefined;
        },
      }),
    );

    expect(turn.error).toBeUndefined();
    expect(turn.session.state).toEqual({ mine: 1, 'app:seen': true });
  });

  it('is the state and the artifacts of the session for a tool from elsewhere', () => {
    const tool = new RemoteTool({ name: 'far', description: '', pool: 'python' });

    const { actions } = declaredOnly(tool.actions, everything);

    expect(actions).toEqual({
      ...createEventActions(),
      stateDelta: { plan: 'x' },
      artifactDelta: { 'report.pdf': 2 },
    });
  });
});

describe('RemoteTool', () => {
  it('tells its declaration, and refuses arguments as other tools do', () => {
    const tool = new RemoteTool({
      name: 'far',
      description: 'Runs far away.',
      pool: 'python',
      parameters: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
    });

    expect(tool.getDeclaration()).toMatchObject({ name: 'far', description: 'Runs far away.' });
    expect(tool.refuseArguments({})).toBeDefined();
    expect(tool.refuseArguments({ n: 1 })).toBeUndefined();
  });

  it('has no code here', async () => {
    await expect(
      new RemoteTool({ name: 'far', description: '', pool: 'python' }).runAsync(),
    ).rejects.toMatchObject({ code: 'tool.remote' });
  });

  it('needs a pool', () => {
    expect(() => new RemoteTool({ name: 'far', description: '', pool: '' })).toThrow('pool');
  });
});
