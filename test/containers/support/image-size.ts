import { docker } from './docker';
import { images } from './images';

const MEGABYTE = 1_000_000;

/** Of the project's image, with and without its base. */
export async function imageMegabytes(): Promise<{ readonly whole: number; readonly own: number }> {
  const sizes = [images.skein, images.node].map(async (image) =>
    Number(await docker(['image', 'inspect', '--format', '{{.Size}}', image])),
  );
  const [whole = 0, base = 0] = await Promise.all(sizes);
  return { whole: Math.round(whole / MEGABYTE), own: Math.round((whole - base) / MEGABYTE) };
}
