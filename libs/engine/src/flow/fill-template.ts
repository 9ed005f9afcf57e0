import { AdkError } from '@skein/contracts';
import { type State } from '../state/state';

const VARIABLE = /\{+[^{}]*\}+/g;
const NAME = /^(?:(?:app|user|temp):)?[\p{ID_Start}_][\p{ID_Continue}]*$/u;

/**
 * Puts state into an instruction: `{name}` and `{prefix:name}` become the value, `{name?}` becomes nothing when there is
 * none. Braces around anything else (JSON, `{other:key}`, `{}`) are left as they are (B59).
 */
export function fillTemplate(template: string, state: Pick<State, 'get' | 'has'>): string {
  return template.replace(VARIABLE, (match) => {
    const inner = match.replace(/^\{+|\}+$/g, '').trim();
    const optional = inner.endsWith('?');
    const name = optional ? inner.slice(0, -1) : inner;
    if (!NAME.test(name)) return match;
    if (state.has(name)) return textOf(state.get(name));
    if (optional) return '';
    throw new AdkError('invalid', 'instruction.variable', `Context variable not found: \`${name}\`.`);
  });
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
