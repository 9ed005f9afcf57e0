import { execFileSync } from 'node:child_process';
import { docker, repository } from './docker';
import { images } from './images';

const TEN_MINUTES = 600_000;

/** Builds the project's image from this working tree. Answers its digest, and the commit it is labelled with. */
export async function buildImage(): Promise<{ readonly digest: string; readonly revision: string }> {
  const revision = revisionOf(repository);
  const named = ['--build-arg', `NODE_IMAGE=${images.node}`, '--build-arg', `REVISION=${revision}`];
  await docker(['build', '--tag', images.skein, ...named, '.'], { deadlineMs: TEN_MINUTES });
  return { digest: await docker(['image', 'inspect', '--format', '{{.Id}}', images.skein]), revision };
}

/** The commit, and whether something beside it is in the tree. */
function revisionOf(folder: string): string {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  return git('rev-parse', 'HEAD') + (git('status', '--porcelain') === '' ? '' : '-changed');
}
