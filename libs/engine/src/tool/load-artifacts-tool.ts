import { type Content } from '@skein/contracts';
import { type Context } from '../agent/context';
import { getFunctionResponses } from '../event/function-parts';
import { appendInstructions, type LlmRequest } from '../model/llm-request';
import { readContents } from '../model/shared-contents';
import { warn } from '../telemetry/warn';
import { artifactAsPart } from './artifact-as-part';
import { BaseTool, type RunToolRequest } from './base-tool';
import { type FunctionDeclaration } from './function-declaration';

const LOAD_ARTIFACTS_NAME = 'load_artifacts';

/** Tells the model which artifacts there are, and shows it those it asks for, in its next request only. */
export class LoadArtifactsTool extends BaseTool {
  constructor() {
    super({
      name: LOAD_ARTIFACTS_NAME,
      description:
        'Shows you the content of artifacts, such as files the user uploaded, until your next answer.',
      placement: 'inline',
    });
  }

  override getDeclaration(): FunctionDeclaration {
    return {
      name: this.name,
      description: this.description,
      parametersJsonSchema: {
        type: 'object',
        properties: {
          artifact_names: {
            type: 'array',
            items: { type: 'string' },
            description: 'The names of the artifacts.',
          },
        },
      },
    };
  }

  override async runAsync({ args }: RunToolRequest): Promise<Record<string, unknown>> {
    return {
      artifact_names: namesIn(args),
      status: 'The contents follow, once. Call load_artifacts again to see them later.',
    };
  }

  override async processLlmRequest(request: { llmRequest: LlmRequest; toolContext: Context }): Promise<void> {
    await super.processLlmRequest(request);
    const { llmRequest, toolContext } = request;
    const names = await toolContext.listArtifacts();
    if (names.length === 0) return;
    appendInstructions(llmRequest, [instructionFor(names)]);
    for (const name of askedFor(llmRequest)) {
      const content = await contentOf(knownAs(name, names), toolContext);
      if (content) llmRequest.contents.push(content);
      else warnOfMissing(name, toolContext);
    }
  }
}

export const LOAD_ARTIFACTS = new LoadArtifactsTool();

function instructionFor(names: readonly string[]): string {
  return (
    `There are these artifacts: ${JSON.stringify(names)}\n` +
    'Before you answer a question about one of them, call load_artifacts with its name, also when you saw it before: ' +
    'its content is not kept in the conversation.'
  );
}

/** The names in the call that was answered last; later on their contents are no longer shown. */
function askedFor(request: LlmRequest): string[] {
  const responses = getFunctionResponses({ content: readContents(request).at(-1) });
  return responses
    .filter(({ name }) => name === LOAD_ARTIFACTS_NAME)
    .flatMap(({ response }) => namesIn(response ?? {}));
}

/** Models trained on adk-python write snake_case, as the declaration does; others may not. */
function namesIn({
  artifact_names: names,
  artifactNames = names,
}: Readonly<Record<string, unknown>>): string[] {
  return Array.isArray(artifactNames) ? artifactNames.filter((name) => typeof name === 'string') : [];
}

/** A name no artifact has is not looked up: it may be one that no artifact could have. */
function knownAs(name: string, names: readonly string[]): string | undefined {
  return [name, `user:${name}`].find((candidate) => names.includes(candidate));
}

async function contentOf(name: string | undefined, context: Context): Promise<Content | undefined> {
  const artifact = name === undefined ? undefined : await context.loadArtifact(name);
  if (name === undefined || !artifact) return undefined;
  return { role: 'user', parts: [{ text: `Artifact ${name} is:` }, artifactAsPart(name, artifact)] };
}

function warnOfMissing(artifact: string, { agentName: agent, invocationId }: Context): void {
  warn('an artifact the model asked for is not there', { agent, invocationId, artifact });
}
