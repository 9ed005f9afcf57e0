import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import packageJson from '../../package.json';
import { Fleet } from '../chaos/support/fleet';
import { Client } from '../support/client';
import { waitUntil } from '../support/wait-until';
import { askAsWorker } from './support/ask-as-worker';
import { recordClaimCheck } from './support/claim-check';
import { exercise } from './support/exercise';
import { beforeGoldenRun, beginGoldenRun, endGoldenRun } from './support/golden-run';
import { goldenFolder, noteChecksums, writeGolden } from './support/golden-version';
import { messageKinds } from './support/message-kinds';
import { OverloadedProvider } from './support/overloaded-provider';
import { readRows } from './support/rows';
import { Tap } from './support/tap';

/**
 * Records what this version says and stores, at its release: every kind of message from a fleet at work, and the rows of
 * a run that stands in the middle, with the end it came to. docs/how-to/upgrade.md says when.
 */
async function record(version: string): Promise<void> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'skein-golden-'));
  const holdFile = path.join(scratch, 'hold');
  const agentsDir = path.join(scratch, 'agents');
  cpSync(path.join(__dirname, '..', 'chaos', 'agents'), agentsDir, { recursive: true });
  cpSync(path.join(goldenFolder(version), 'agents'), agentsDir, { recursive: true });
  const provider = await OverloadedProvider.start(agentsDir);
  const fleet = await Fleet.start({
    runners: 1,
    toolWorkers: 1,
    agentsDir,
    env: { HOLD_FILE: holdFile, LEASE_MS: '6000', SWEEP_MS: '15000', LANES: 'false' },
  });
  try {
    const tap = await Tap.open(fleet.natsUrl);
    await beforeGoldenRun(fleet);
    writeFileSync(holdFile, '');
    await beginGoldenRun(fleet);
    await askAsWorker(fleet.natsUrl, { open: tap.lastCallOf('held'), over: tap.lastCallOf('quick') });
    const recordedAtMs = Date.now();
    const rows = await readRows(fleet.databaseUrl);
    await waitUntil('the lease to be renewed', () => tap.hasHeard('rpc.session.renew.answer'));
    rmSync(holdFile);
    const end = await endGoldenRun(fleet);
    await exercise(fleet);
    const client = new Client(fleet.url, provider.app);
    await client.createSession('refused');
    await client.run('refused', 'hello');
    await tap.close();
    const missing = [...messageKinds.keys()].filter((kind) => !tap.messages.some((one) => one.kind === kind));
    if (missing.length > 0) throw new Error(`no message of these kinds was sent: ${missing.join(', ')}`);
    // A file of an earlier record would stay.
    for (const folder of ['messages', 'payloads'])
      rmSync(path.join(goldenFolder(version), folder), { recursive: true, force: true });
    mkdirSync(path.join(goldenFolder(version), 'messages'), { recursive: true });
    for (const message of tap.messages) writeGolden(message, version, 'messages', `${message.kind}.json`);
    writeGolden({ recordedAtMs, rows }, version, 'rows.json');
    writeGolden(end, version, 'end.json');
    await recordClaimCheck(version, fleet.natsUrl);
    noteChecksums();
  } finally {
    await fleet.stop();
    await provider.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

void record(packageJson.version);
