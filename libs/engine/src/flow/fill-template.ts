import { AdkError, type Part } from '@skein/contracts';
import { Context } from '../agent/context';
import { type ContextScope } from '../agent/context-scope';
import { type State } from '../state/state';

const VARIABLE = /\{+[^{}]*\}+/g;
const NAME = /^(?:(?:app|user|temp):)?[\p{ID_Start}_][\p{ID_Continue}]*$/u;
const ARTIFACT_PREFIX = 'artifact.';

/**
 * Puts state into an instruction: `{name}` and `{prefix:name}` become the value, `{artifact.file}` the text of an
 * artifact, `{name?}` nothing when there is none. Braces around anything else (JSON, `{other:key}`, `{}`) are left as
 * they are (B59). Rejects with `instruction.variable` or `instruction.artifact`.
 */
export async function fillTemplate(template: string, scope: ContextScope): Promise<string> {
  if (!template.includes('{')) return template;
  const context = new Context(scope);
  let filled = '';
  let end = 0;
  for (const match of template.matchAll(VARIABLE)) {
    filled += template.slice(end, match.index) + (await valueOf(match[0], context));
    end = match.index + match[0].length;
  }
  return filled + template.slice(end);
}

async function valueOf(match: string, context: Context): Promise<string> {
  const inner = match.replace(/^\{+|\}+$/g, '').trim();
  const isOptional = inner.endsWith('?');
  const name = isOptional ? inner.slice(0, -1) : inner;
  if (name.startsWith(ARTIFACT_PREFIX)) {
    return artifactText(name.slice(ARTIFACT_PREFIX.length), context, isOptional);
  }
  return NAME.test(name) ? stateText(name, context.state, isOptional) : match;
}

function stateText(name: string, state: Pick<State, 'get' | 'has'>, isOptional: boolean): string {
  if (!state.has(name)) {
    if (isOptional) return '';
    throw new AdkError('invalid', 'instruction.variable', `Context variable not found: \`${name}\`.`);
  }
  const value = state.get(name);
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

async function artifactText(filename: string, context: Context, isOptional: boolean): Promise<string> {
  if (!context.contextScope.artifactService) {
    throw new AdkError('invalid', 'instruction.artifact', 'Artifact service is not initialized.');
  }
  const artifact = await context.loadArtifact(filename);
  if (artifact) return partText(artifact);
  if (isOptional) return '';
  throw new AdkError('invalid', 'instruction.artifact', `Artifact ${filename} not found.`);
}

/** A text, or bytes that are text; of an image there is nothing a sentence could hold. */
function partText({ text, inlineData }: Part): string {
  if (text !== undefined) return text;
  if (!inlineData?.mimeType.startsWith('text/')) return '';
  return Buffer.from(inlineData.data, 'base64url').toString('utf8');
}
