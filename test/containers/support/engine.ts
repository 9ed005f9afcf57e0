import { docker } from './docker';
import { images } from './images';

/**
 * Throws, with what to do, when there is no engine or no way to an image. The suite fails then: one that is left out in
 * silence proves nothing.
 */
export async function requireEngine(): Promise<void> {
  try {
    await docker(['version', '--format', '{{.Server.Version}}']);
  } catch (cause) {
    throw new Error(`There is no Docker engine to be reached.\n${ADVICE}`, { cause });
  }
  for (const image of [images.node, images.nats, images.postgres, images.s3, images.swift])
    await requireImage(image);
}

const ADVICE = 'Without one, or without a registry of images: . <(test/containers/air-gapped/ready)';

async function requireImage(image: string): Promise<void> {
  try {
    await docker(['image', 'inspect', image]);
  } catch {
    await docker(['pull', '--quiet', image], { deadlineMs: 600_000 }).catch((cause: unknown) => {
      throw new Error(`${image} is not here and cannot be pulled.\n${ADVICE}`, { cause });
    });
  }
}
