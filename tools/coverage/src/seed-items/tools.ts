import { type SeedGroup } from './seed-item';

const folder = 'libs/engine/src/tool';
const context = 'libs/engine/src/agent/context.ts';
const roundSpec = 'libs/engine/src/flow/run-tool-round.spec.ts';

/** ADK.Tool and the tools it brings along. */
export const tools: SeedGroup = {
  title: 'Tools',
  items: [
    {
      item: 'ADK.Tool, the behaviour',
      named: '000, 003',
      file: `${folder}/base-tool.ts`,
      symbol: 'BaseTool',
      fields: {
        name: 'name',
        description: 'description',
        declaration: 'getDeclaration',
        run: 'runAsync',
        'long_running?': 'isLongRunning',
      },
      test: [roundSpec, 'passes before_tool, the tool, after_tool'],
    },
    {
      item: 'ADK.Tool.parameters/0',
      named: '003',
      file: `${folder}/function-declaration.ts`,
      symbol: 'parametersJsonSchema',
      test: [roundSpec, 'with arguments of a wrong type is refused'],
    },
    {
      item: 'ADK.Tool.Context, ToolContext',
      named: '000, 002, 004',
      file: context,
      symbol: 'Context',
      fields: {
        function_call_id: 'functionCallId',
        actions: 'actions',
        'get_state(key)': 'state',
        'save_artifact/3': 'saveArtifact',
        'load_artifact/2-3': 'loadArtifact',
        'list_artifacts/1': 'listArtifacts',
        'search_memory/2': 'searchMemory',
      },
      test: ['libs/engine/src/agent/context.spec.ts', 'saves, loads and lists artifacts'],
    },
    {
      item: 'ADK.Tool.FunctionTool, FunctionTool.new/1',
      named: '000, 002, 003',
      file: `${folder}/function-tool.ts`,
      symbol: 'FunctionTool',
      fields: { name: 'name', description: 'description', parameters: 'parameters', handler: 'execute' },
      test: [roundSpec, 'without its mandatory arguments is refused'],
    },
    {
      item: 'ADK.Tool.FunctionTool: name and parameters are inferred',
      named: '003',
      file: `${folder}/function-tool.ts`,
      symbol: 'execute',
      departure: 'inference',
      test: [`${folder}/function-declaration.spec.ts`, 'while a named function gives it its own'],
    },
    {
      item: 'ADK.Tool.FunctionTool: try and rescue',
      named: '000',
      file: `${folder}/in-process-tool-executor.ts`,
      symbol: 'InProcessToolExecutor',
      departure: 'tool-errors',
      test: [roundSpec, 'that throws is answered by on_tool_error'],
    },
    {
      item: 'ADK.Tool.TransferToAgent',
      named: '000, 002, 004',
      file: `${folder}/transfer-to-agent-tool.ts`,
      symbol: 'transferToAgent',
      fields: { transfer_to_agent: 'transfer_to_agent' },
      test: ['libs/engine/src/flow/transfer-target.spec.ts', 'has the other agent go on in the same turn'],
    },
    {
      item: 'ADK.Tool.LoadMemory: searches memory through the context',
      named: '000, 002',
      file: `${folder}/load-memory-tool.ts`,
      symbol: 'LoadMemoryTool',
      test: [`${folder}/memory-tools.spec.ts`, 'answers what earlier sessions hold about its query (B61)'],
    },
    {
      item: 'ADK.Tool.LoadArtifacts: loads artifacts by name',
      named: '000, 002',
      file: `${folder}/load-artifacts-tool.ts`,
      symbol: 'LoadArtifactsTool',
      test: [`${folder}/load-artifacts-tool.spec.ts`, 'artifact'],
    },
    {
      item: 'ADK.Tool.Toolset, the behaviour of dynamic tool providers',
      named: '000, 002',
      file: `${folder}/base-toolset.ts`,
      symbol: 'BaseToolset',
      fields: { 'name/1': 'prefix', 'tools/2': 'getTools', ctx: 'ReadonlyContext' },
      test: [`${folder}/base-toolset.spec.ts`, 'gives an agent its tools, which run as any other'],
    },
  ],
};
