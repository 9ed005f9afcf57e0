import { hash } from 'node:crypto';
import { type Event, type FunctionCall, type Part } from '@skein/contracts';

/**
 * What a step asked for, as text without whatever may differ when the same code runs again: no instruction, no text of an
 * event, no time. Its hash is kept with the step.
 */
export type Asked = string;

export function hashOf(asked: Asked): string {
  return hash('sha256', asked, 'base64url').slice(0, 11);
}

/** More agents than one process has, unless its author's code makes them. */
const MAX_REPEATED = 1_000;
const repeated = new Map<Asked, string>();

/** As `hashOf`, of what every run of an agent asks for anew: hashed once. */
export function hashOfRepeated(asked: Asked): string {
  const known = repeated.get(asked);
  if (known !== undefined) return known;
  if (repeated.size >= MAX_REPEATED) repeated.clear();
  const hashed = hashOf(asked);
  repeated.set(asked, hashed);
  return hashed;
}

function askedOf(kind: string, agentName: string): Asked {
  return `${kind} of ${agentName}`;
}

/** Of a step that is its agent's without saying more; nothing for one that is the run's own, as the user's event. */
export function askedOfAgent(stepKey: string, agentName: string): Asked | undefined {
  const [, kind] = /\/(model|code|before|after)\.[\d:]+$/.exec(stepKey) ?? [];
  return kind && askedOf(kind, agentName);
}

/** A round is its calls: their ids and names, in order. */
export function askedTools(agentName: string, calls: readonly FunctionCall[]): Asked {
  const named = calls.map(({ id = '', name }) => `${name}(${id})`);
  return `${askedOf('tools', agentName)}: ${named.join(', ')}`;
}

/** An event of an author's own making: whose it is, the kinds of its parts, the state it sets, where it leads. */
export function askedEvent({
  author,
  content,
  actions,
}: Pick<Event, 'author' | 'content' | 'actions'>): Asked {
  const parts = (content?.parts ?? []).map(kindOfPart);
  const state = Object.keys(actions.stateDelta).sort();
  const leads = actions.transferToAgent === undefined ? [] : [`transfer to ${actions.transferToAgent}`];
  const escalates = actions.escalate ? ['escalate'] : [];
  const shape = [...parts, ...state.map((key) => `state ${key}`), ...leads, ...escalates];
  return `${askedOf('event', author)}: ${shape.join(', ') || 'nothing'}`;
}

const PARTS = [
  'text',
  'functionCall',
  'functionResponse',
  'inlineData',
  'fileData',
  'executableCode',
  'codeExecutionResult',
] as const;

function kindOfPart(part: Part): string {
  const kind = PARTS.find((field) => part[field] !== undefined) ?? 'part';
  const name = part.functionCall?.name ?? part.functionResponse?.name;
  return name === undefined ? kind : `${kind} ${name}`;
}
