import { type Renew } from '@skein/contracts';
import { InMemoryArtifactService, InMemoryMemoryService } from '@skein/engine';
import { aSession } from '@skein/testing';
import { aHandover } from '../../test/builders';
import { ActiveRun, RunStopped } from './active-run';
import { writesOf } from './guessed-writes';

const FILE = { appName: 'app', userId: 'user', sessionId: 'session', filename: 'a.txt' };

/** The writes of a run whose claim is there at this many times it is asked for, counted from one. */
function aRun({ isGuessed = true, isThereAt = 1 } = {}) {
  const run = new ActiveRun(aHandover(), isGuessed);
  const artifacts = new InMemoryArtifactService();
  const memory = new InMemoryMemoryService();
  const asked: Renew[] = [];
  const renew = async (renewal: Renew) => {
    const isThere = asked.push(renewal) >= isThereAt;
    return { held: isThere ? [run.invocationId] : [], cancelRequested: [] };
  };
  const writes = writesOf(run, { artifacts, memory, rpc: { renew }, runnerId: 'runner-1' });
  return { run, asked, artifacts, memory, writes };
}

describe('what a run writes beside its log', () => {
  it('waits, of a guess, for the claim, which is asked for until it is there, and once', async () => {
    const { run, asked, artifacts, writes } = aRun({ isThereAt: 3 });

    const saved = [writes.artifacts.saveArtifact({ ...FILE, artifact: { text: 'one' } })];
    saved.push(writes.artifacts.saveArtifact({ ...FILE, artifact: { text: 'two' } }));

    expect(await Promise.all(saved)).toEqual([0, 1]);
    expect(await artifacts.listVersions(FILE)).toEqual([0, 1]);
    expect(asked).toEqual(
      Array(3).fill({ runnerId: 'runner-1', leases: [{ invocationId: run.invocationId, epoch: 1 }] }),
    );
  });

  it('is not written of a guess that was wrong', async () => {
    const { run, asked, artifacts, memory, writes } = aRun({ isThereAt: Infinity });
    await artifacts.saveArtifact({ ...FILE, artifact: { text: 'one' } });
    const session = aSession({ events: [] });
    const add = jest.spyOn(memory, 'addSessionToMemory');

    const written = Promise.allSettled([
      writes.artifacts.saveArtifact({ ...FILE, artifact: { text: 'two' } }),
      writes.artifacts.deleteArtifact(FILE),
      writes.memory.addSessionToMemory(session),
    ]);
    while (asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
    run.stop('its claim was guessed, and is another');

    for (const one of await written) expect(one).toMatchObject({ reason: expect.any(RunStopped) as unknown });
    expect(await artifacts.listVersions(FILE)).toEqual([0]);
    expect(add).not.toHaveBeenCalled();
  });

  it('is read without a claim', async () => {
    const { asked, artifacts, writes } = aRun();
    await artifacts.saveArtifact({ ...FILE, artifact: { text: 'one' } });

    expect(await writes.artifacts.loadArtifact(FILE)).toMatchObject({ text: 'one' });
    expect(await writes.artifacts.listArtifactKeys(FILE)).toEqual(['a.txt']);
    expect(await writes.artifacts.listVersions(FILE)).toEqual([0]);
    expect(await writes.artifacts.listArtifactVersions(FILE)).toHaveLength(1);
    expect(await writes.artifacts.getArtifactVersion(FILE)).toMatchObject({ version: 0 });
    expect(await writes.memory.searchMemory({ appName: 'app', userId: 'user', query: 'one' })).toEqual({
      memories: [],
    });
    expect(asked).toEqual([]);
  });

  it('waits for nothing where the claim was made before the run began', () => {
    const { artifacts, memory, writes } = aRun({ isGuessed: false });

    expect(writes).toEqual({ artifacts, memory });
  });
});
