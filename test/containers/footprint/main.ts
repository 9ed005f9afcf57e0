import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createReport, printReport } from '../../../bench/report';
import { prepareSuite } from '../support/prepare-suite';
import { untagImage } from '../support/build-image';
import { measureFootprint } from './measure-footprint';

void main();

/** `npm run footprint [-- --json FILE]`: what the image and its containers take, as the container suite runs them. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { json: { type: 'string' } } });
  await prepareSuite();
  try {
    const { node, ...measured } = await measureFootprint();
    const report = createReport('footprint', measured);
    const inside = { ...report, machine: { ...report.machine, node } };
    printReport(inside);
    if (values.json) writeFileSync(values.json, `${JSON.stringify(inside, null, 2)}\n`);
  } finally {
    await untagImage();
  }
}
