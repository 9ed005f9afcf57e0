import { buildImage } from './build-image';
import { requireEngine } from './engine';
import { useImage } from './images';
import { removeLeftovers } from './leftovers';
import { beginReport } from './report';

/** Once before the first fleet. Throws what is missing: jest then counts every spec as failed. */
export async function prepareSuite(): Promise<void> {
  await requireEngine();
  await removeLeftovers();
  const { tag, digest, revision } = await buildImage();
  useImage(tag);
  beginReport(`${digest} of ${revision}`);
}
