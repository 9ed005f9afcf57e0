/** Where the project's image is named to the specs, which are other processes than the one that builds it. */
const UNDER_TEST = 'SKEIN_TEST_IMAGE';

/** What the containers are made of. The same variables choose the images of docker-compose.yml. */
export const images = {
  postgres: process.env.POSTGRES_IMAGE ?? 'postgres:18',
  nats: process.env.NATS_IMAGE ?? 'nats:2.14-alpine',
  s3: process.env.S3_IMAGE ?? 'minio/minio:RELEASE.2025-09-07T16-13-09Z',
  /** A second S3 server, of other make, for the contract of object stores alone. */
  swift: process.env.SWIFT_IMAGE ?? 'openstackswift/saio:latest',
  node: process.env.NODE_IMAGE ?? 'node:24-bookworm-slim',
  /** Built from this working tree before the first test. */
  get skein() {
    return process.env[UNDER_TEST] ?? 'skein:test';
  },
};

/** Called once, before the first spec starts. */
export function useImage(skein: string): void {
  process.env[UNDER_TEST] = skein;
}
