import { randomUUID } from 'node:crypto';
import { recordArtifactSchema } from './artifact';

describe('what is recorded of an artifact', () => {
  const artifact = {
    appName: 'app',
    userId: 'ada',
    sessionId: 's',
    filename: 'a.txt',
    objectKey: randomUUID(),
    mimeType: 'text/plain',
    sizeBytes: 1,
    sha256: 'x'.repeat(64),
  };

  it('lies under a key of its saver', () => {
    expect(recordArtifactSchema.safeParse(artifact).success).toBe(true);
  });

  it.each(['', 'skein-owner', '../skein-owner', 'artifacts/x'])(
    'does not lie under the key %j',
    (objectKey) => {
      expect(recordArtifactSchema.safeParse({ ...artifact, objectKey }).success).toBe(false);
    },
  );
});
