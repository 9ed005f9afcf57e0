import { forgetSecrets } from './forget-secrets';
import { withSecretFiles } from './secret-files';
import { mayComeInFile, STORE_SECRETS } from './secrets';

describe('forgetSecrets', () => {
  it('leaves of an environment what an author may need, and nothing that opens the stores or the bus', () => {
    const author = {
      S3_ENDPOINT: 'http://minio:9000',
      GEMINI_API_KEY: 'mine',
      OPENAI_API_KEY_FILE: '/run/secrets/openai',
      PATH: '/bin',
    };
    const environment = {
      ...author,
      DATABASE_URL: 'postgres://u:p@h/d',
      SKEIN_SECRET: 'x',
      NATS_URL: 'nats://u:p@h',
      NATS_CREDS: '/run/secrets/nats.creds',
      S3_ACCESS_KEY: 'x',
      S3_SECRET_KEY: 'x',
    };

    forgetSecrets(environment);

    expect(environment).toEqual(author);
  });

  it.each([...STORE_SECRETS])('leaves neither %s nor the file it may have come in', (name) => {
    const environment = { [name]: 'x', [`${name}_FILE`]: `/run/secrets/${name}` };

    expect(mayComeInFile(name)).toBe(true);
    expect(withSecretFiles({ [`${name}_FILE`]: '/none' }, [name]).problems).toHaveLength(1);
    forgetSecrets(environment);

    expect(environment).toEqual({});
  });
});
