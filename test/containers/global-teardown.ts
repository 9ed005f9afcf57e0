import { readReport } from './support/report';

/** Once after all specs: what ran in which image, and what was done to it. */
export default function tearDown(): void {
  process.stdout.write(`\nThe container suite:\n${readReport()}\n`);
}
