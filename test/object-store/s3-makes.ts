import { type Waived } from '@skein/testing';

/** What a server is, by what it says of itself. */
export type S3Make = keyof typeof WAIVED;

/**
 * Cases of the contract of S3 servers that one of a make cannot pass, by their titles, with the reason. The suite fails when
 * a waived case passes, or is none of its own. MinIO's was never run here: it has no package.
 */
export const WAIVED = {
  'Ceph RGW': {},
  'OpenStack Swift': {},
  MinIO: {
    'forgets a put that was begun and left, once it is old enough':
      'MinIO lists unfinished uploads by their whole name only, and drops them itself after a day',
  },
  'another server': {},
} as const satisfies Readonly<Record<string, Waived>>;

/** Asks a server without a signature: whatever it answers, its headers tell. */
export async function makeOf(endpoint: string): Promise<S3Make> {
  const { headers } = await fetch(endpoint, { signal: AbortSignal.timeout(10_000) });
  if (headers.has('x-openstack-request-id')) return 'OpenStack Swift';
  if (headers.get('server')?.startsWith('MinIO')) return 'MinIO';
  // As Ceph makes them: of a transaction, a time, an instance and a zone.
  if (/^tx[0-9a-f]+-[0-9a-f]+-[0-9a-f]+-/.test(headers.get('x-amz-request-id') ?? '')) return 'Ceph RGW';
  return 'another server';
}
