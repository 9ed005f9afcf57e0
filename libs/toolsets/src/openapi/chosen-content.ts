import { type DocumentSchema } from './document-parts';

/** How a body is written. */
export type ContentKind = 'json' | 'form' | 'multipart' | 'text' | 'bytes';

export interface ChosenContent {
  readonly contentType: string;
  readonly kind: ContentKind;
  readonly schema: DocumentSchema | undefined;
}

const ORDER: readonly ContentKind[] = ['json', 'form', 'multipart', 'text', 'bytes'];

/** Of the types an operation takes, the one a model can write best. */
export function chosenContent(
  content: Readonly<Record<string, { readonly schema?: DocumentSchema | undefined }>>,
): ChosenContent | undefined {
  const all = Object.entries(content).map(([contentType, { schema }]) => ({
    ...{ contentType, schema },
    kind: kindOf(contentType),
  }));
  return ORDER.flatMap((kind) => all.filter((one) => one.kind === kind))[0];
}

export function kindOf(contentType: string): ContentKind {
  const [type = ''] = contentType.toLowerCase().split(';');
  const plain = type.trim();
  if (plain === 'application/json' || plain.endsWith('+json') || plain === '*/*' || plain === 'application/*')
    return 'json';
  if (plain === 'application/x-www-form-urlencoded') return 'form';
  if (plain.startsWith('multipart/')) return 'multipart';
  return plain.startsWith('text/') || /[/+](xml|yaml|graphql|javascript)$/.test(plain) ? 'text' : 'bytes';
}
