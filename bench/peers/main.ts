import { type Load, type LoadTaken, runTurns } from '../run-turns';
import { startDbos } from './dbos.peer';
import { startGoogleAdk, startGoogleAdkInMemory } from './google-adk.peer';
import type { StartPeer } from './peer';
import { startRestate } from './restate.peer';

const peers: Readonly<Record<string, StartPeer>> = {
  restate: startRestate,
  dbos: startDbos,
  'google-adk': startGoogleAdk,
  'google-adk-in-memory': startGoogleAdkInMemory,
};

/** `main.ts <peer> <databaseUrl> <dataDir>`: answers each load its parent sends with what it took; ends at `stop`. */
async function main(): Promise<void> {
  const [name = '', databaseUrl = '', dataDir = ''] = process.argv.slice(2);
  const start = peers[name];
  if (!start) throw new Error(`no peer is named ${name}: ${Object.keys(peers).join(', ')}`);
  const peer = await start({ databaseUrl, dataDir });
  const tell = (message: { ready: true } | { taken: LoadTaken } | { failed: string }): void => {
    process.send?.(message);
  };
  const answer = async (load: Load | 'stop'): Promise<void> => {
    if (load !== 'stop')
      return tell({ taken: await runTurns((id) => peer.turn(id, 'What is 1 + 2?'), load) });
    await peer.stop();
    process.exit(0);
  };
  process.on('message', (load: Load | 'stop') => {
    answer(load).catch((error: unknown) => tell({ failed: String(error) }));
  });
  process.once('disconnect', () => void answer('stop'));
  tell({ ready: true });
}

void main();
