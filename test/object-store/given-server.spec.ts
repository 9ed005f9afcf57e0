import { s3ServerContract } from '@skein/testing';
import { givenServer } from './given-server';
import { makeOf, WAIVED } from './s3-makes';

// Servers that others keep busy are slow.
jest.setTimeout(120_000);

s3ServerContract(
  'S3ObjectStore on the server of S3_ENDPOINT',
  async () => givenServer(),
  async () => WAIVED[await makeOf(givenServer().endpoint)],
);
