import { type Content, contentSchema } from '@skein/contracts';
import { readAs } from '../json/read-as';

/** What a callback or a plugin said, in the role given when it names none. Throws `callback.bad-answer`. */
export function readContent(answer: unknown, role: 'user' | 'model'): Content {
  const what = "A callback's answer";
  return { role, ...readAs(contentSchema, answer, { code: 'callback.bad-answer', what }) };
}
