import { execFileSync } from 'node:child_process';
import { docker, repository } from './docker';
import { images } from './images';

const TEN_MINUTES = 600_000;

export interface BuiltImage {
  /** Its own: another checkout of this machine may build at the same time. */
  readonly tag: string;
  readonly digest: string;
  /** The commit it is labelled with. */
  readonly revision: string;
}

/** Builds the project's image from this working tree. */
export async function buildImage(): Promise<BuiltImage> {
  const revision = revisionOf(repository);
  const tag = testTag();
  const named = ['--build-arg', `NODE_IMAGE=${images.node}`, '--build-arg', `REVISION=${revision}`];
  await docker(['build', '--tag', tag, ...named, '.'], { deadlineMs: TEN_MINUTES });
  return { tag, digest: await docker(['image', 'inspect', '--format', '{{.Id}}', tag]), revision };
}

/** Of the image that this run of the suite builds. */
function testTag(): string {
  return `skein:test-${process.pid}`;
}

/** The image stays, under a name that the next takes away, so that its build is short. */
export async function untagImage(): Promise<void> {
  const tag = testTag();
  await docker(['tag', tag, 'skein:test']);
  await docker(['image', 'rm', tag]);
}

/** The commit, and whether something beside it is in the tree. */
function revisionOf(folder: string): string {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  return git('rev-parse', 'HEAD') + (git('status', '--porcelain') === '' ? '' : '-changed');
}
