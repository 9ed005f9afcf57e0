import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createReport, printReport, type Scenario } from './report';
import { measureAppend } from './scenarios/append';
import { measureArtifacts } from './scenarios/artifacts';
import { measureHistory } from './scenarios/history';
import { measurePeers } from './scenarios/peers';
import { measureStart } from './scenarios/start';
import { measureStream } from './scenarios/stream';
import { measureTools } from './scenarios/tools';
import { measureTurn } from './scenarios/turn';
import { onStack } from './with-stack';

const scenarios: Readonly<Record<string, Scenario>> = {
  turn: onStack(measureTurn),
  tools: measureTools,
  start: measureStart,
  append: measureAppend,
  history: onStack(measureHistory),
  stream: measureStream,
  artifacts: measureArtifacts,
};

/** With peers: ours and theirs in the same run, on the same machine. */
const againstPeers: Readonly<Record<string, Scenario>> = { turn: measurePeers };

/** `npm run bench -- <scenario> [--peers] [--json FILE]`: measures from outside, over HTTP, on a stack of its own. */
async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'string' }, peers: { type: 'boolean', default: false } },
  });
  const [name = ''] = positionals;
  const scenario = (values.peers ? againstPeers : scenarios)[name];
  if (!scenario) {
    console.error(`usage: npm run bench -- ${Object.keys(scenarios).join('|')} [--peers] [--json FILE]`);
    process.exitCode = 2;
    return;
  }
  const report = createReport(name, await scenario());
  printReport(report);
  if (values.json) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
}

void main();
