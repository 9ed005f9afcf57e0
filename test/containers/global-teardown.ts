import { untagImage } from './support/build-image';
import { readReport } from './support/report';

/** Once after all specs: what ran in which image, and what was done to it. */
export default async function tearDown(): Promise<void> {
  process.stdout.write(`\nThe container suite:\n${readReport()}\n`);
  await untagImage();
}
