import { AdkError } from '@skein/contracts';

/** What stands in for a body in the header `Skein-Payload`. */
export interface PayloadReference {
  readonly key: string;
  readonly sha256: string;
  readonly sizeBytes: number;
}

const FORM = /^([a-zA-Z0-9._/-]{1,256});sha256=([0-9a-f]{64});size=(\d{1,15})$/;

export function formatReference({ key, sha256, sizeBytes }: PayloadReference): string {
  return `${key};sha256=${sha256};size=${sizeBytes}`;
}

export function parseReference(text: string): PayloadReference {
  const [, key, sha256, size] = FORM.exec(text) ?? [];
  if (key === undefined || sha256 === undefined) {
    throw new AdkError('invalid', 'payload.reference', 'the payload reference is malformed');
  }
  return { key, sha256, sizeBytes: Number(size) };
}
