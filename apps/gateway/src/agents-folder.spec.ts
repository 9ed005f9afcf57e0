import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listApps } from '@skein/agent-loader';
import { AgentsFolder } from './agents-folder';

describe('AgentsFolder', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'skein-apps-'));
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await rm(directory, { recursive: true, force: true });
  });

  async function addFile(app: string, file: string): Promise<void> {
    await mkdir(join(directory, app), { recursive: true });
    await writeFile(join(directory, app, file), '');
  }

  it('lists exactly the apps that a runner would load', async () => {
    await addFile('b', 'agent.ts');
    await addFile('a', 'agent.mjs');
    await addFile('_draft', 'agent.ts');
    await addFile('user', 'agent.ts');
    await addFile('empty', 'readme.md');

    const names = await new AgentsFolder(directory).names();

    expect(names).toEqual(['a', 'b']);
    expect(names).toEqual(listApps(directory));
  });

  it('takes an app from the moment its folder is there, and no longer than a tenth of a second after it is gone', async () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    const folder = new AgentsFolder(directory);
    await expect(folder.require('late')).rejects.toMatchObject({ code: 'app.unknown' });

    await addFile('late', 'agent.ts');
    await expect(folder.require('late')).resolves.toBeUndefined();

    await rm(join(directory, 'late'), { recursive: true });
    now.mockReturnValue(99);
    await expect(folder.require('late')).resolves.toBeUndefined();
    now.mockReturnValue(100);
    await expect(folder.require('late')).rejects.toMatchObject({ kind: 'not_found', code: 'app.unknown' });
  });

  it('never looks outside for a name that leads there', async () => {
    await addFile('.', 'agent.ts');
    await addFile('inside', 'readme.md');

    await expect(new AgentsFolder(join(directory, 'inside')).require('..')).rejects.toMatchObject({
      code: 'app.unknown',
    });
  });

  it('says that it cannot read a folder that is gone, not that the app is unknown', async () => {
    const folder = new AgentsFolder(join(directory, 'nowhere'));

    const unreadable = { kind: 'unavailable', code: 'agents.unreadable' };
    await expect(folder.require('a')).rejects.toMatchObject(unreadable);
    await expect(folder.names()).rejects.toMatchObject(unreadable);
  });
});
