import { buildImage } from './support/build-image';
import { requireEngine } from './support/engine';
import { removeLeftovers } from './support/leftovers';
import { beginReport } from './support/report';

/** Once before all specs. Throws what is missing: jest then counts every spec as failed. */
export default async function setUp(): Promise<void> {
  await requireEngine();
  await removeLeftovers();
  const { digest, revision } = await buildImage();
  beginReport(`${digest} of ${revision}`);
}
