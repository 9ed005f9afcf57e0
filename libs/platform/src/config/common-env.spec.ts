import { z } from 'zod';
import { commonEnv, withCommonRules } from './common-env';
import { ConfigError, loadConfig } from './load-config';

const schema = withCommonRules(z.object({ ...commonEnv }));
const s3 = { S3_ENDPOINT: 'http://minio:9000', S3_ACCESS_KEY: 'key', S3_SECRET_KEY: 'hunter2' };

function problemsOf(environment: NodeJS.ProcessEnv): unknown {
  try {
    loadConfig(schema, environment);
    return [];
  } catch (error) {
    return error instanceof ConfigError ? error.problems : error;
  }
}

describe('the settings of S3', () => {
  it('are left out, or an endpoint with its keys', () => {
    expect(loadConfig(schema, {})).toMatchObject({ S3_REGION: 'us-east-1', S3_BUCKET: 'skein' });
    expect(loadConfig(schema, {}).S3_ENDPOINT).toBeUndefined();
    expect(loadConfig(schema, s3)).toMatchObject(s3);
  });

  it('are told whole when keys are missing, beside what else is wrong', () => {
    const problems = problemsOf({ S3_ENDPOINT: s3.S3_ENDPOINT, S3_BUCKET: 'No', LOG_LEVEL: 'loud' });

    expect(problems).toEqual(
      expect.arrayContaining([
        { name: 'S3_ACCESS_KEY', reason: 'must be set where S3_ENDPOINT is' },
        { name: 'S3_SECRET_KEY', reason: 'must be set where S3_ENDPOINT is' },
        { name: 'S3_BUCKET', reason: 'must have 3 to 63 lower-case letters, digits and hyphens' },
        { name: 'LOG_LEVEL', reason: 'must be debug, info, warn or error' },
      ]),
    );
    expect(problems).toHaveLength(4);
  });

  it.each([
    'minio:9000',
    'ftp://minio',
    'http://minio/path',
    'http://user:hunter2@minio',
    'http://minio?x=1',
  ])('do not take %j for an endpoint, nor show it', (endpoint) => {
    const problems = problemsOf({ ...s3, S3_ENDPOINT: endpoint });

    expect(problems).toHaveLength(1);
    expect(JSON.stringify(problems)).not.toContain('hunter2');
  });
});
