import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createReport, printReport, type Scenario } from './report';
import { measureAppend } from './scenarios/append';
import { measureArtifacts } from './scenarios/artifacts';
import { measureCpu } from './scenarios/cpu';
import { measureHistory } from './scenarios/history';
import { measurePeers } from './scenarios/peers';
import { measureScale } from './scenarios/scale';
import { measureSessions } from './scenarios/sessions';
import { measureSoak } from './scenarios/soak';
import { measureStart } from './scenarios/start';
import { measureStream } from './scenarios/stream';
import { measureTools } from './scenarios/tools';
import { measureTurn } from './scenarios/turn';
import { measureWaking } from './scenarios/waking';
import { onStack } from './with-stack';

const scenarios: Readonly<Record<string, Scenario>> = {
  turn: measureTurn,
  tools: measureTools,
  start: measureStart,
  append: measureAppend,
  history: onStack(measureHistory),
  stream: measureStream,
  artifacts: measureArtifacts,
  sessions: measureSessions,
  waking: measureWaking,
  soak: measureSoak,
  scale: measureScale,
  cpu: measureCpu,
};

/** With peers: ours and theirs in the same run, on the same machine. */
const againstPeers: Readonly<Record<string, Scenario>> = { turn: measurePeers };

/** `npm run bench -- <scenario> [--peers] [--minutes N] [--json FILE]`: measures from outside, over HTTP, on a stack of its own. */
async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'string' },
      peers: { type: 'boolean', default: false },
      minutes: { type: 'string', default: '120' },
    },
  });
  const [name = ''] = positionals;
  const scenario = (values.peers ? againstPeers : scenarios)[name];
  if (!scenario || !/^[1-9]\d*$/.test(values.minutes)) {
    const names = Object.keys(scenarios).join('|');
    console.error(`usage: npm run bench -- ${names} [--peers] [--minutes N] [--json FILE]`);
    process.exitCode = 2;
    return;
  }
  const report = createReport(name, await scenario({ minutes: Number(values.minutes) }));
  printReport(report);
  if (values.json) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
}

void main();
