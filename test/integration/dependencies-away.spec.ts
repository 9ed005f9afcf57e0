import { Skein } from '../support/skein';

// Nobody listens on port 1.
const POSTGRES_AWAY = 'postgresql://skein:secret-word@127.0.0.1:1/skein';
const NATS_AWAY = 'nats://127.0.0.1:1';

describe('a server that is away at start', () => {
  it.each([
    ['Postgres', { DATABASE_URL: POSTGRES_AWAY }, /PostgreSQL.*127\.0\.0\.1:1/s],
    ['NATS', { NATS_URL: NATS_AWAY }, /NATS.*127\.0\.0\.1:1/s],
  ])(
    'ends the start with a sentence that names %s, after a bounded time',
    async (_name, env, sentence) => {
      const started = Skein.start({ agents: {}, env });

      await expect(started).rejects.toThrow(sentence);
      await expect(started).rejects.not.toThrow(/secret-word/);
    },
    60_000,
  );
});
