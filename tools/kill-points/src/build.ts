import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { instrument } from './instrument';
import { reachableFiles } from './reachable-files';

const KILL_SWITCH = 'tools/kill-points/src/kill-switch.js';

/**
 * Makes an instrumented copy of a build. The build itself stays as it is: what is shipped holds no kill point.
 *
 * @param root Where the sources are.
 * @param dist The build of these sources.
 * @param target Written anew. It has to lie below a folder with node_modules.
 * @returns How many points it has.
 */
export function buildWithKillPoints(root: string, dist: string, target: string): number {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  for (const part of ['apps', 'libs', 'tools/kill-points']) {
    cpSync(path.join(dist, part), path.join(target, part), { recursive: true });
  }
  let points = 0;
  for (const file of reachableFiles(root)) {
    const script = file.replace(/\.ts$/, '.js');
    const source = { path: file, text: readFileSync(path.join(root, file), 'utf8') };
    const up = path.posix.relative(path.posix.dirname(script), KILL_SWITCH);
    const instrumented = instrument(source, readFileSync(path.join(dist, script), 'utf8'), up);
    if (instrumented.points.length === 0) continue;
    writeFileSync(path.join(target, script), instrumented.text);
    points += instrumented.points.length;
  }
  return points;
}
