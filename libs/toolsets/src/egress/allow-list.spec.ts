import { allowListOf } from './allow-list';

describe('the list of what is allowed', () => {
  it.each([
    ['internal.example.com', 'https://INTERNAL.example.com./x', true],
    ['internal.example.com', 'https://internal.example.com.evil.test/', false],
    ['internal.example.com', 'https://x.internal.example.com/', false],
    ['*.example.com', 'http://a.b.example.com:81/', true],
    ['*.example.com', 'http://example.com/', false],
    ['*.example.com', 'http://badexample.com/', false],
    ['db.local:8080', 'http://db.local:8080/', true],
    ['db.local:8080', 'http://db.local/', false],
    ['db.local:443', 'https://db.local/', true],
    ['http://127.0.0.1:8080', 'http://2130706433:8080/', true],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8081/', false],
    ['http://127.0.0.1:8080', 'https://127.0.0.1:8080/', false],
    ['http://[::1]:80', 'http://[::1]/', true],
  ])('%s, asked for %s: %s', (entry, url, isOpen) => {
    expect(allowListOf([entry]).hasHost(new URL(url))).toBe(isOpen);
  });

  it.each([
    ['10.1.0.0/16', '10.1.255.255', true],
    ['10.1.0.0/16', '10.2.0.0', false],
    ['10.1.0.0/16', '::ffff:10.1.0.1', true],
    ['10.1.0.5', '10.1.0.5', true],
    ['10.1.0.5', '10.1.0.6', false],
    ['fd00::/8', 'fd12::1', true],
    ['fd00::/8', '10.0.0.1', false],
    ['::1', '::1', true],
  ])('%s has %s: %s', (entry, address, isOpen) => {
    expect(allowListOf([entry]).hasAddress(address)).toBe(isOpen);
  });

  it('says which entries are none', () => {
    const entries = [
      '10.0.0.0/33',
      'fine.example',
      'ftp://x',
      'http://x/path',
      '*',
      '',
      '10.0.0',
      'http://a@b',
    ];

    expect(() => allowListOf(entries)).toThrow(
      expect.objectContaining({
        code: 'egress.allow',
        message: expect.stringContaining(
          '"10.0.0.0/33", "ftp://x", "http://x/path", "*", "", "10.0.0", "http://a@b"',
        ),
      }),
    );
  });
});
