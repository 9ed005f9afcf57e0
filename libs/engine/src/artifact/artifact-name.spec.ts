import { assertArtifactName } from './artifact-name';

describe('an artifact name (B60)', () => {
  it.each([
    'report.pdf',
    'folder/report.pdf',
    'user:avatar.png',
    'user:a/b',
    'мой файл.txt',
    '..hidden',
    'a..b',
    'x'.repeat(1_024),
  ])('may be %s', (name) => {
    expect(() => assertArtifactName(name)).not.toThrow();
  });

  it.each([
    '',
    'user:',
    '../../etc/passwd',
    'a/../b',
    'a/..',
    '.',
    '..',
    'a//b',
    'a/',
    '/abs',
    'user:/abs',
    'user:../x',
    'a\\b',
    'C:\\x',
    'C:x',
    'a\0b',
    'a\nb',
    'a\u0085b',
    '\ud800',
    'x'.repeat(1_025),
    'ü'.repeat(513),
  ])('may not be %j', (name) => {
    expect(() => assertArtifactName(name)).toThrow(
      expect.objectContaining({ kind: 'invalid', code: 'artifact.name' }),
    );
  });
});
