import { translateError } from './translate-error';

const ofState = (code: string): Error => Object.assign(new Error('as the driver throws it'), { code });

describe('translateError', () => {
  it.each([
    ['22', '57P01'],
    ['22', '57P02'],
    ['22', '57P03'],
    ['23', '25006'],
    ['23', '08006'],
    ['23', '08003'],
    ['25', '40001'],
    ['25', '40P01'],
    ['26', '53100'],
    ['27', '53300'],
    ['32', '57014'],
    ['32', '25P03'],
    ['24', 'ECONNRESET'],
    ['22', 'ECONNREFUSED'],
    ['32', 'ETIMEDOUT'],
    ['29', 'EHOSTUNREACH'],
  ])('row %s: takes %s for a database that is away for a while', (_row, code) => {
    expect(translateError(ofState(code), 'x')).toMatchObject({
      kind: 'unavailable',
      code: 'store.unavailable',
      retryAfterMs: 1000,
    });
  });

  it.each([
    'Connection terminated unexpectedly',
    'timeout exceeded when trying to connect',
    'Query read timeout',
  ])('row 32: does so for what the driver gives no code: %s', (message) => {
    expect(translateError(new Error(message), 'x')).toMatchObject({ kind: 'unavailable' });
  });

  it.each([
    ['22P05', 'invalid'],
    ['23505', 'invalid'],
    ['42P01', 'internal'],
  ])('does not take %s for it', (code, kind) => {
    expect(translateError(ofState(code), 'x')).toMatchObject({ kind });
  });
});
