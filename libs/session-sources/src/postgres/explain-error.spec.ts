import { SourceError } from '../session-source';
import { explainPostgresError } from './explain-error';

describe('what a source in PostgreSQL says', () => {
  it.each([
    [{ code: '55P03', message: 'canceling statement' }, 'keeps a table locked'],
    [{ code: '42501', message: 'permission denied' }, 'does not let this user read'],
    [{ code: 'ENOTFOUND', message: 'getaddrinfo' }, 'is not reachable: there is no such host'],
    [{ code: '57P01', message: 'terminating connection' }, 'went away while it was read'],
    [{ code: 'ECONNRESET', message: 'read ECONNRESET' }, 'went away while it was read'],
    [{ message: 'Connection terminated unexpectedly' }, 'went away while it was read'],
    [{ message: 'timeout expired' }, 'is not reachable: it does not answer'],
    [{ code: 'XX000', message: 'a strange thing' }, 'failed: a strange thing'],
    [new AggregateError([], ''), 'failed'],
    ['nothing', 'failed'],
  ])('%p becomes a sentence', (error, sentence) => {
    const explained = explainPostgresError(error, 'postgresql://db/adk');

    expect(explained.message).toContain(`postgresql://db/adk ${sentence}`);
  });

  it('is not explained twice', () => {
    const error = new SourceError('said already');

    expect(explainPostgresError(error, 'a')).toBe(error);
  });
});
