import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createReport, printReport, type Scenario } from './report';
import { runTools } from './scenarios/tools';
import { runTurn } from './scenarios/turn';
import { withStack } from './with-stack';

const scenarios: Readonly<Record<string, Scenario>> = { turn: runTurn, tools: runTools };

/** `npm run bench -- <scenario> [--json FILE]`: starts a stack of its own and measures against it over HTTP. */
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
  const report = await withStack(async (stack) => createReport(name, stack, await scenario(stack)));
  printReport(report);
  if (values.json) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
}

void main();
