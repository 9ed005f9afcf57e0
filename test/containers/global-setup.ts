import { buildImage } from './support/build-image';
import { requireEngine } from './support/engine';
import { useImage } from './support/images';
import { removeLeftovers } from './support/leftovers';
import { beginReport } from './support/report';

/** Once before all specs. Throws what is missing: jest then counts every spec as failed. */
export default async function setUp(): Promise<void> {
  await requireEngine();
  await removeLeftovers();
  const { tag, digest, revision } = await buildImage();
  useImage(tag);
  beginReport(`${digest} of ${revision}`);
}
