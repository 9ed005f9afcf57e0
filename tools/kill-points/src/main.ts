import path from 'node:path';
import { buildWithKillPoints } from './build';
import { countPerPart, pointsOfSources } from './points-of-sources';

const root = path.resolve(__dirname, '../../..');

main(process.argv.slice(2));

/** `npm run kill-points -- list [--all]` counts them, or names each; `… build` makes dist-kill-points/ of dist/. */
function main([command, flag]: readonly string[]): void {
  if (command === 'list') {
    const sources = pointsOfSources(root);
    if (flag === '--all') console.log(sources.flatMap(({ points }) => points).join('\n'));
    console.log(countPerPart(sources));
  } else if (command === 'build') {
    const points = buildWithKillPoints(root, path.join(root, 'dist'), path.join(root, 'dist-kill-points'));
    console.log(`dist-kill-points/ has ${points} points`);
  } else {
    console.error('usage: kill-points list [--all] | build');
    process.exitCode = 1;
  }
}
