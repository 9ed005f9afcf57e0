import { docker } from './docker';

/** On all that a test makes: the process it belongs to. */
export const OWNER_LABEL = 'skein.test.owner';

export const ownerLabels = { [OWNER_LABEL]: String(process.pid) } as const;

/** Of what docker compose made for a test: its project, named after the process. */
const PROJECT_LABEL = 'com.docker.compose.project';
export const ownProject = `skein-test-${process.pid}`;

/** In the order in which they can go: containers hold networks and volumes. */
const KINDS = [
  { list: ['container', 'ls', '--all'], remove: ['container', 'rm', '--force', '--volumes'], id: 'ID' },
  { list: ['network', 'ls'], remove: ['network', 'rm'], id: 'ID' },
  { list: ['volume', 'ls'], remove: ['volume', 'rm'], id: 'Name' },
] as const;

/** Removes what killed runs of the suite have left, and leaves alone what belongs to one that runs. */
export async function removeLeftovers(): Promise<void> {
  for (const { list, remove, id } of KINDS) {
    const format = `{{.${id}}} {{.Label "${OWNER_LABEL}"}}{{.Label "${PROJECT_LABEL}"}}`;
    for (const line of (await docker([...list, '--format', format])).split('\n')) {
      const [, name, pid] = /^(\S+) (?:skein-test-)?(\d+)$/.exec(line) ?? [];
      if (name !== undefined && !isAlive(Number(pid))) await docker([...remove, name]);
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false; // That of another user would throw too; who runs the suite is one.
  }
}
