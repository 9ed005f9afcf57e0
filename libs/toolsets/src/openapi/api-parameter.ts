import { type JsonSchema } from '@skein/engine';

/** One argument of an operation: where it goes, and what the model knows it by. */
export interface ApiParameter {
  readonly originalName: string;
  readonly paramLocation: string;
  readonly paramSchema: JsonSchema;
  readonly description?: string;
  /** What the model calls it: no other argument of the operation has this name. */
  readonly name: string;
  readonly required: boolean;
  readonly style?: string;
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
  /** The value is written in this type, which is JSON's, and not in a style. */
  readonly contentType?: string;
  /** The model names an artifact, whose bytes are sent. */
  readonly isBinary?: boolean;
}

/** What is given as a name of an artifact, since a model has no bytes. */
export const ARTIFACT_SCHEMA: JsonSchema = {
  type: 'string',
  description: 'The name of an artifact of this session; its bytes are sent.',
};

export function isBinarySchema({ type, format, contentEncoding, contentMediaType }: JsonSchema): boolean {
  if (type !== undefined && type !== 'string') return false;
  return format === 'binary' || (contentMediaType !== undefined && contentEncoding === undefined);
}
