import { type SeedGroup } from './seed-item';

const folder = 'libs/engine/src/flow';
const flowSpec = `${folder}/llm-flow.spec.ts`;

/** What builds a model request, step by step. */
export const processors: SeedGroup = {
  title: 'Request processors',
  items: [
    {
      item: 'the pipeline of request processors; each tested on its own; in a fixed order',
      named: '000, 002, 004',
      file: `${folder}/request-processors.ts`,
      symbol: 'requestProcessors',
      departure: 'processor-order',
      test: [`${folder}/request-processors.spec.ts`, 'B24'],
    },
    {
      item: 'the shape of a processor: (context, request, state)',
      named: '000, 004',
      file: `${folder}/request-processor.ts`,
      symbol: 'RequestProcessor',
      fields: { 'RequestProcessor trait': 'BaseLlmRequestProcessor' },
      test: [`${folder}/request-processors.spec.ts`, 'B24'],
    },
    {
      item: 'ResponseProcessor trait',
      named: '004',
      file: `${folder}/response-processor.ts`,
      symbol: 'BaseLlmResponseProcessor',
      test: [
        `${folder}/request-processors.spec.ts`,
        'takes a step of the author between an answer and its event',
      ],
    },
    {
      item: 'Basic, basicRequestProcessor',
      named: '000, 002, 004',
      file: `${folder}/processors/basic.ts`,
      symbol: 'basicProcessor',
      fields: {
        generate_content_config: 'generateContentConfig',
        OutputSchema: 'output',
        ResponseMIMEType: 'responseMimeType',
      },
      test: [`${folder}/processors/basic.spec.ts`, 'asks for the output schema when there are no tools'],
    },
    {
      item: 'ToolProcessor, toolPreprocess: tools map, declarations, each tool may change the request',
      named: '000, 002, 004',
      file: `${folder}/processors/tools.ts`,
      symbol: 'toolsProcessor',
      fields: { 'ProcessRequest()': 'processLlmRequest' },
      test: [`${folder}/request-processors.spec.ts`, 'has the order of the reference'],
    },
    {
      item: 'Instructions, instructionsRequestProcessor',
      named: '000, 002, 004',
      file: `${folder}/processors/instructions.ts`,
      symbol: 'instructionsProcessor',
      fields: { global_instruction: 'globalInstruction', instruction: 'instruction' },
      test: [`${folder}/processors/instructions.spec.ts`, 'B59'],
    },
    {
      item: 'template variables {var} and {var?} from session state (inject_template_variables)',
      named: '000, 004',
      file: `${folder}/fill-template.ts`,
      symbol: 'fillTemplate',
      test: [`${folder}/fill-template.spec.ts`, 'fillTemplate (B59) makes'],
    },
    {
      item: 'template variables {artifact.name}',
      named: '004',
      file: `${folder}/fill-template.ts`,
      symbol: 'artifact',
      test: [`${folder}/fill-template.spec.ts`, 'artifact'],
    },
    {
      item: 'InstructionProvider, dynamic instructions',
      named: '004',
      file: `${folder}/processors/instructions.ts`,
      symbol: 'ReadonlyContext',
      test: [flowSpec, 'takes the text of an instruction provider as it is (B59)'],
    },
    {
      item: 'GlobalInstruction comes from the root agent, for the whole tree',
      named: '000, 004',
      file: `${folder}/processors/instructions.ts`,
      symbol: 'rootAgent',
      test: [`${folder}/processors/instructions.spec.ts`, 'B59'],
    },
    {
      item: 'AgentTransfer, AgentTransferRequestProcessor: the tool and the instructions of the targets',
      named: '000, 002, 004',
      file: `${folder}/processors/agent-transfer.ts`,
      symbol: 'agentTransferProcessor',
      test: [`${folder}/transfer-target.spec.ts`, 'names the agents to choose from'],
    },
    {
      item: 'Contents, ContentsRequestProcessor: conversation history from the session',
      named: '000, 002, 004',
      file: `${folder}/processors/contents.ts`,
      symbol: 'contentsProcessor',
      test: ['libs/engine/src/runner/runner.spec.ts', 'and the model the conversation so far'],
    },
    {
      item: 'Contents: filters by branch',
      named: '000, 004',
      file: `${folder}/contents/select-events.ts`,
      symbol: 'branch',
      departure: 'branches',
      test: [`${folder}/contents/select-events.spec.ts`, 'B3'],
    },
    {
      item: 'Contents: what other agents said becomes context of the user',
      named: '000',
      file: `${folder}/contents/convert-foreign.ts`,
      symbol: 'convertForeign',
      test: [`${folder}/contents/convert-foreign.spec.ts`, 'B4'],
    },
    {
      item: 'Contents: IncludeContents default and none',
      named: '004',
      file: `${folder}/contents/current-turn.ts`,
      symbol: 'includeContents',
      departure: 'include-contents',
      test: [`${folder}/contents/current-turn.spec.ts`, 'B10'],
    },
    {
      item: 'Contents: neighbours of one role are merged',
      named: '000, 002',
      file: `${folder}/contents/build-contents.ts`,
      symbol: 'buildContents',
      departure: 'consecutive-roles',
      test: [`${folder}/contents/build-contents.spec.ts`, 'B11'],
    },
  ],
};
