import { loadConfig } from '@skein/platform';
import { gatewayConfig } from './config';

describe('gatewayConfig', () => {
  it('listens on loopback, on a port to be found, when nothing is set', () => {
    const config = loadConfig(gatewayConfig, {});

    expect(config).toMatchObject({ HOST: '127.0.0.1', BODY_LIMIT_BYTES: 8_388_608, AUTH_MODE: 'none' });
    expect(config.PORT).toBeUndefined();
  });

  it.each(['0.0.0.0', '::', '192.168.1.5', 'example.org', 'localhost.example.org'])(
    'refuses to listen on %s without authentication, unless that is said to be meant',
    (HOST) => {
      expect(() => loadConfig(gatewayConfig, { HOST })).toThrow('ALLOW_UNAUTHENTICATED=true');
      expect(loadConfig(gatewayConfig, { HOST, ALLOW_UNAUTHENTICATED: 'true' })).toMatchObject({ HOST });
    },
  );

  it('takes names of hosts, and nothing else, for those it answers to', () => {
    const { ALLOWED_HOSTS } = loadConfig(gatewayConfig, { ALLOWED_HOSTS: 'chat.example.org, [::1]' });

    expect(ALLOWED_HOSTS).toEqual(['chat.example.org', '[::1]']);
    for (const wrong of ['::1', 'a b', ' , '])
      expect(() => loadConfig(gatewayConfig, { ALLOWED_HOSTS: wrong })).toThrow('ALLOWED_HOSTS: must ');
  });

  it('lists everything that is wrong at once', () => {
    const wrong = { HOST: '0.0.0.0', PORT: '70000', AUTH_MODE: 'jwt', BODY_LIMIT_BYTES: '1' };

    expect(() => loadConfig(gatewayConfig, wrong)).toThrow(/PORT[^]*HOST/);
    expect(() => loadConfig(gatewayConfig, wrong)).toThrow(/BODY_LIMIT_BYTES[^]*AUTH_MODE/);
  });
});
