import { aSession } from '@skein/testing';
import { InMemoryArtifactService } from '../artifact/in-memory-artifact-service';
import { fillTemplate } from './fill-template';

const state = {
  name: 'Ada',
  n: 3,
  list: [1, 'two'],
  nothing: null,
  'user:lang': 'en',
  'app:v': 1,
  'other:x': 'no',
};

function fill(template: string, scope: Partial<Parameters<typeof fillTemplate>[1]> = {}): Promise<string> {
  const session = aSession({ state });
  const signal = new AbortController().signal;
  return fillTemplate(template, { invocationId: 'e-1', agentName: 'root', session, signal, ...scope });
}

describe('fillTemplate (B59)', () => {
  it.each([
    ['{name}', 'Ada'],
    ['{ name }', 'Ada'],
    ['{{name}}', 'Ada'],
    ['{n} {list} {nothing}.', '3 [1,"two"] .'],
    ['{user:lang} {app:v}', 'en 1'],
    ['{missing?}{name?}', 'Ada'],
    ['{temp:missing?}.', '.'],
  ])('makes %j into %j', async (template, filled) => {
    expect(await fill(template)).toBe(filled);
  });

  it.each(['{}', '{invalid-key}', '{other:x}', '{"json": 1}', '{1a}', '{a b}', '{ }'])(
    'leaves %j as it is',
    async (template) => {
      expect(await fill(template)).toBe(template);
    },
  );

  it('refuses a name that state does not have', async () => {
    await expect(fill('Hi {missing}!')).rejects.toThrow('Context variable not found: `missing`.');
  });

  it('does not read what it put in', async () => {
    expect(await fill('{a}', { session: aSession({ state: { a: '{name}' } }) })).toBe('{name}');
  });
});

describe('artifacts in an instruction (B59)', () => {
  const key = { appName: 'app', userId: 'u', sessionId: 's' };

  it('become their text, also when they were saved as bytes', async () => {
    const artifactService = new InMemoryArtifactService();
    const data = Buffer.from('as bytes').toString('base64');
    await artifactService.saveArtifact({ ...key, filename: 'a.txt', artifact: { text: 'as text' } });
    await artifactService.saveArtifact({
      ...key,
      filename: 'b.txt',
      artifact: { inlineData: { mimeType: 'text/plain', data } },
    });

    const filled = await fill('{artifact.a.txt}, {artifact.b.txt}{artifact.c.txt?}', { artifactService });

    expect(filled).toBe('as text, as bytes');
  });

  it('are refused when they are missing, or when nothing keeps them', async () => {
    const artifactService = new InMemoryArtifactService();

    await expect(fill('{artifact.a.txt}', { artifactService })).rejects.toMatchObject({
      code: 'instruction.artifact',
    });
    await expect(fill('{artifact.a.txt}')).rejects.toMatchObject({ code: 'instruction.artifact' });
  });
});
