import { isAtLeast, parseNatsVersion } from './nats-version';

describe('the version of nats-server', () => {
  it.each([
    ['nats-server: v2.14.0', '2.14.0'],
    ['nats-server: v2.12.0-RC.1\n', '2.12.0'],
    ['command not found', undefined],
  ])('reads %j as %s', (text, version) => {
    expect(parseNatsVersion(text)).toBe(version);
  });

  it.each([
    ['2.10.4', true],
    ['2.10.12', true],
    ['2.9.10', false],
    ['2.10.3', false],
    ['3.0.0', true],
  ])('takes %s for new enough: %s', (version, isEnough) => {
    expect(isAtLeast(version, '2.10.4')).toBe(isEnough);
  });
});
