import { credentialHeaders } from './credential-headers';

describe('credentialHeaders', () => {
  it.each(['Authorization', 'x-api-key', 'x-auth-token', 'X-Token', 'x-token-id', 'cookie', 'client-secret'])(
    'takes %s for one',
    (name) => {
      expect(credentialHeaders({ [name]: 'planted' })).toEqual(['planted']);
    },
  );

  it.each(['x-max-tokens', 'x-tokens-per-minute', 'x-token-limit', 'accept'])(
    'does not take %s for one',
    (name) => {
      expect(credentialHeaders({ [name]: '100' })).toEqual([]);
    },
  );

  it('tells what follows the scheme, too', () => {
    expect(credentialHeaders({ authorization: 'Bearer planted' })).toEqual(['Bearer planted', 'planted']);
  });
});
