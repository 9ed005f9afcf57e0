import { type Part } from '@skein/contracts';
import { type ApiParameter } from './api-parameter';
import { type BuiltRequest } from './build-request';
import { type ChosenContent } from './chosen-content';
import { isRecord } from './resolve-reference';
import { badArgument } from './write-parameter';

/** Reads an artifact of the session by its name. */
export type LoadArtifact = (name: string) => Promise<Part | undefined>;

interface Body {
  readonly content: ChosenContent | undefined;
  readonly parameters: readonly ApiParameter[];
  readonly loadArtifact: LoadArtifact;
}

/** The body of a request, with the header that names its type set; nothing where no argument is for it. */
export async function writeBody(
  { body, bodyFields, headers }: BuiltRequest,
  { content, parameters, loadArtifact }: Body,
): Promise<string | Blob | FormData | URLSearchParams | undefined> {
  const value = body ?? (Object.keys(bodyFields).length > 0 ? bodyFields : undefined);
  if (value === undefined || !content) return undefined;
  const binary = parameters.filter(({ isBinary }) => isBinary);
  switch (content.kind) {
    case 'json':
      headers.set(
        'content-type',
        content.contentType.includes('*') ? 'application/json' : content.contentType,
      );
      return JSON.stringify(value);
    case 'form':
      return formOf(value);
    case 'multipart':
      return multipartOf(value, binary, loadArtifact);
    case 'text':
      headers.set('content-type', content.contentType);
      return typeof value === 'string' ? value : JSON.stringify(value);
    case 'bytes': {
      const file = await fileOf({ name: 'body' }, value, loadArtifact);
      headers.set('content-type', content.contentType.includes('*') ? file.type : content.contentType);
      return file;
    }
  }
}

function formOf(value: unknown): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, entry] of entriesOf(value)) form.append(name, textOf(entry));
  return form;
}

async function multipartOf(
  value: unknown,
  binary: readonly ApiParameter[],
  loadArtifact: LoadArtifact,
): Promise<FormData> {
  const form = new FormData();
  for (const [name, entry] of entriesOf(value)) {
    const parameter = binary.find(({ originalName }) => originalName === name);
    if (parameter) form.append(name, await fileOf(parameter, entry, loadArtifact), String(entry));
    else form.append(name, textOf(entry));
  }
  return form;
}

/** A list is its entries under one name, as forms have it. */
function entriesOf(value: unknown): [string, unknown][] {
  if (!isRecord(value)) return [['body', value]];
  return Object.entries(value)
    .filter(([, entry]) => entry !== null && entry !== undefined)
    .flatMap(([name, entry]) =>
      Array.isArray(entry) ? entry.map((one): [string, unknown] => [name, one]) : [[name, entry]],
    );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

async function fileOf(
  parameter: { readonly name: string },
  artifact: unknown,
  loadArtifact: LoadArtifact,
): Promise<Blob> {
  if (typeof artifact !== 'string') throw badArgument(parameter, 'it is not the name of an artifact');
  const part = await loadArtifact(artifact);
  if (part?.inlineData) {
    return new Blob([Buffer.from(part.inlineData.data, 'base64')], { type: part.inlineData.mimeType });
  }
  if (part?.text !== undefined) return new Blob([part.text], { type: 'text/plain' });
  throw badArgument(parameter, `there is no artifact "${artifact.slice(0, 200)}"`);
}
