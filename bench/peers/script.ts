/** What the user says, the model calls and the model answers: for every peer, word for word, as for Skein. */
export const ANSWER = 'The answer is 3.';

export interface Sum {
  readonly sum: number;
}

export interface AddArguments {
  readonly a: number;
  readonly b: number;
}

export interface Part {
  readonly text?: string;
  readonly functionCall?: { readonly id?: string; readonly name: string; readonly args: AddArguments };
  readonly functionResponse?: { readonly id?: string; readonly name: string; readonly response: Sum };
}

export interface Content {
  readonly role: 'user' | 'model';
  readonly parts: readonly Part[];
}

/** A model without latency: a call of the tool first, and a sentence once the tool has answered. */
export function modelAnswers(contents: readonly Content[]): Content {
  const answered = contents.at(-1)?.parts[0]?.functionResponse !== undefined;
  const part: Part = answered ? { text: ANSWER } : { functionCall: { name: 'add', args: { a: 1, b: 2 } } };
  return { role: 'model', parts: [part] };
}

export function add({ a, b }: AddArguments): Sum {
  return { sum: a + b };
}

export function assertAnswer(text: string | undefined): void {
  if (text !== ANSWER) throw new Error(`the turn did not end as it should: ${JSON.stringify(text)}`);
}
