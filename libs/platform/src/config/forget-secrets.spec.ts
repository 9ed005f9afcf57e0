import { forgetSecrets } from './forget-secrets';

describe('forgetSecrets', () => {
  it('leaves of an environment what an author may need, and nothing that opens the stores', () => {
    const environment = {
      DATABASE_URL: 'postgres://u:p@h/d',
      SKEIN_SECRET: 'x',
      S3_ACCESS_KEY: 'x',
      S3_SECRET_KEY: 'x',
      S3_ENDPOINT: 'http://minio:9000',
      GEMINI_API_KEY: 'mine',
      PATH: '/bin',
    };

    forgetSecrets(environment);

    expect(environment).toEqual({
      S3_ENDPOINT: 'http://minio:9000',
      GEMINI_API_KEY: 'mine',
      PATH: '/bin',
    });
  });
});
