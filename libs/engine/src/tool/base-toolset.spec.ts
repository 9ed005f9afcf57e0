import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { calls, FakeLlm, runTurn, text } from '@skein/testing';
import { type ReadonlyContext } from '../agent/readonly-context';
import { LlmAgent } from '../agent/llm-agent';
import { type ToolUnion } from '../agent/llm-agent-config';
import { getFunctionResponses } from '../event/function-parts';
import { type LlmRequest } from '../model/llm-request';
import { type Warning, WARNINGS } from '../telemetry/warn';
import { type BaseTool } from './base-tool';
import { BaseToolset, type BaseToolsetParams } from './base-toolset';
import { EXIT_LOOP } from './exit-loop-tool';
import { FunctionTool } from './function-tool';
import { LOAD_MEMORY } from './load-memory-tool';

class AToolset extends BaseToolset {
  constructor(
    private readonly give: (context: ReadonlyContext) => Promise<readonly BaseTool[]>,
    params: BaseToolsetParams = {},
  ) {
    super(params);
  }

  override getTools(context: ReadonlyContext): Promise<readonly BaseTool[]> {
    return this.give(context);
  }
}

const aTool = (name: string, requireConfirmation = false): FunctionTool =>
  new FunctionTool({
    name,
    description: `Does ${name}.`,
    requireConfirmation,
    execute: () => `${name} done`,
  });

const tools = [aTool('read'), aTool('write'), aTool('drop')];
const toolsetOf = (params: BaseToolsetParams): AToolset => new AToolset(async () => tools, params);

async function play(given: readonly ToolUnion[], call = 'read') {
  const model = new FakeLlm([[calls({ id: 'c1', name: call })], [text('done')]]);
  const agent = new LlmAgent({ name: 'root', model, tools: given });
  const turn = await runTurn(agent);
  return { agent, model, turn, request: model.requests[0] };
}

function declared(request: LlmRequest | undefined): string[] {
  return (request?.config.tools ?? []).flatMap((tool) =>
    (tool.functionDeclarations ?? []).map(({ name }) => name),
  );
}

describe('a toolset', () => {
  it('gives an agent its tools, which run as any other', async () => {
    const { request, turn } = await play([toolsetOf({}), EXIT_LOOP]);

    expect(declared(request)).toEqual(['read', 'write', 'drop', 'exit_loop']);
    expect(turn.events.flatMap(getFunctionResponses)).toMatchObject([{ response: { result: 'read done' } }]);
  });

  it('gives those its filter names', async () => {
    const { request } = await play([toolsetOf({ toolFilter: ['drop', 'read', 'gone'] })]);

    expect(declared(request)).toEqual(['read', 'drop']);
  });

  it('gives those its predicate says yes to, which may look at the run', async () => {
    const seen: string[] = [];
    const toolFilter = (tool: BaseTool, { agentName }: ReadonlyContext): boolean => {
      seen.push(agentName);
      return tool.name !== 'drop';
    };

    const { request } = await play([toolsetOf({ toolFilter })]);

    expect(declared(request)).toEqual(['read', 'write']);
    expect(new Set(seen)).toEqual(new Set(['root']));
  });

  it('may give them other names: to the model, to the call and to its response', async () => {
    const { request, turn } = await play([toolsetOf({ prefix: 'db', toolFilter: ['read'] })], 'db_read');

    expect(declared(request)).toEqual(['db_read']);
    expect(turn.events.flatMap(getFunctionResponses)).toEqual([
      { id: 'c1', name: 'db_read', response: { result: 'read done' } },
    ]);
  });

  it('keeps what its tools are beside their names: placement, checks, what they tell the model', async () => {
    const given = [aTool('pay', true), EXIT_LOOP, LOAD_MEMORY];

    const { request, turn } = await play([new AToolset(async () => given, { prefix: 'x' })], 'x_pay');

    expect(request?.toolsDict.x_exit_loop?.placement).toBe('inline');
    expect(request?.config.systemInstruction).toContain('load_memory');
    expect(declared(request)).toEqual(['x_pay', 'x_exit_loop', 'x_load_memory']);
    expect(turn.events.flatMap(getFunctionResponses)).toMatchObject([
      { response: { error: expect.stringContaining('requires confirmation') } },
    ]);
  });

  it('is asked at the same time as the others', async () => {
    let asked = 0;
    let open: () => void = () => undefined;
    const allAsked = new Promise<void>((resolve) => (open = resolve));
    const meeting = (name: string): AToolset =>
      new AToolset(async () => {
        asked += 1;
        if (asked === 2) open();
        await allAsked;
        return [aTool(name)];
      });

    const { request } = await play([meeting('read'), meeting('write')]);

    expect(declared(request)).toEqual(['read', 'write']);
  });

  it.each([
    [
      'throws',
      'Away.',
      async () => {
        throw new Error('Away.');
      },
    ],
    [
      'gives what is no tool',
      'It gave something that is not a tool.',
      async () => [42 as unknown as BaseTool],
    ],
  ])('that %s is told of and left out; the run goes on with the rest', async (_what, reason, getTools) => {
    const warnings: Warning[] = [];
    const listen = (warning: unknown): void => void warnings.push(warning as Warning);
    subscribe(WARNINGS, listen);
    const broken = new AToolset(getTools);

    const { request, turn } = await play([broken, aTool('read')]);
    unsubscribe(WARNINGS, listen);

    expect(declared(request)).toEqual(['read']);
    expect(turn.error).toBeUndefined();
    expect(warnings[0]).toMatchObject({
      message: 'a toolset could not give its tools',
      fields: { agent: 'root', toolset: 'AToolset', reason },
    });
  });

  it('may bring the very tool that another one brings: the model is told of it once', async () => {
    const { turn, request } = await play([toolsetOf({}), toolsetOf({})]);

    expect(declared(request)).toEqual(['read', 'write', 'drop']);
    expect(turn.error).toBeUndefined();
  });

  it('with the name of another tool fails the run with an event that says so; the session goes on', async () => {
    let given = [aTool('read')];
    const model = new FakeLlm([[text('well again')]]);
    const agent = new LlmAgent({
      name: 'root',
      model,
      tools: [aTool('read'), new AToolset(async () => given)],
    });
    const turn = await runTurn(agent);
    given = [aTool('write')];

    const next = await runTurn(agent, {
      session: turn.session,
      invocationId: 'e-0198c0de-0000-7000-8000-000000000002',
    });

    expect(turn.events).toMatchObject([
      { errorCode: 'tool.duplicate', errorMessage: expect.stringContaining('"read"') },
    ]);
    expect(next.events).toMatchObject([{ content: { parts: [{ text: 'well again' }] } }]);
  });
});
