import { cutClients } from './cut-clients';
import { massKill, SCALED } from './mass-kill';
import { type ChaosOptions, readOptions } from './options';
import { measureRecovery } from './recovery';
import { reportOf, summaryOf, writeChaosReport } from './report';

void main(readOptions(process.argv.slice(2)));

/** `npm run chaos -- [--kills N] [--seed S] [--json FILE] [--no-recovery] [--no-aimed] [--disconnects N]` */
async function main(options: ChaosOptions): Promise<void> {
  const begun = performance.now();
  const say = (line: string): void => console.log(line);
  say(
    `seed ${options.seed}: ${options.kills} kills, with ${JSON.stringify(SCALED)} in place of 15 s, 2 s and 30 s`,
  );
  const killed = await massKill(options, say);
  const recovery = options.isRecoveryMeasured ? await measureRecovery(say) : undefined;
  const cut = options.disconnects > 0 ? await cutClients(options, say) : undefined;
  const minutes = (performance.now() - begun) / 60_000;
  const report = reportOf({ options, minutes, killed, recovery, cut });
  if (options.json !== undefined) writeChaosReport(options.json, report);
  for (const line of summaryOf(report)) say(line);
  process.exitCode = report.failures.length === 0 ? 0 : 1;
}
