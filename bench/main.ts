import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createReport, printReport, type Scenario } from './report';
import { measureArtifacts } from './scenarios/artifacts';
import { measureStart } from './scenarios/start';
import { measureTools } from './scenarios/tools';
import { measureTurn } from './scenarios/turn';
import { onStack } from './with-stack';

const scenarios: Readonly<Record<string, Scenario>> = {
  turn: onStack(measureTurn),
  tools: measureTools,
  start: measureStart,
  artifacts: measureArtifacts,
};

/** `npm run bench -- <scenario> [--json FILE]`: measures from outside, over HTTP, on a stack of its own. */
async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'string' } },
  });
  const [name = ''] = positionals;
  const scenario = scenarios[name];
  if (!scenario) {
    console.error(`usage: npm run bench -- ${Object.keys(scenarios).join('|')} [--json FILE]`);
    process.exitCode = 2;
    return;
  }
  const report = createReport(name, await scenario());
  printReport(report);
  if (values.json) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
}

void main();
