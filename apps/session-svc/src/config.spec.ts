import { loadConfig } from '@skein/platform';
import { sessionServiceConfig } from './config';

const environment = { DATABASE_URL: 'postgres://localhost/skein', SKEIN_SECRET: 'sixteen characters' };

describe("session-svc's environment", () => {
  it('gives an object longer than its upload and the tries to record it may take', () => {
    const load = (grace: number) =>
      loadConfig(sessionServiceConfig, { ...environment, ORPHAN_GRACE_MS: String(grace) });

    expect(load(7_200_000).ORPHAN_GRACE_MS).toBe(7_200_000);
    expect(() => load(7_199_999)).toThrow('ORPHAN_GRACE_MS');
  });
});
