import { type S3Server } from '@skein/testing';

/** The server that the environment names; throws what is missing of it. */
export function givenServer(environment: NodeJS.ProcessEnv = process.env): S3Server {
  const value = (name: string): string => {
    const given = environment[name];
    if (!given) throw new Error(`${name} has to name the S3 server that is to be tested`);
    return given;
  };
  return {
    endpoint: value('S3_ENDPOINT'),
    region: environment.S3_REGION ?? 'us-east-1',
    accessKey: value('S3_ACCESS_KEY'),
    secretKey: value('S3_SECRET_KEY'),
  };
}
