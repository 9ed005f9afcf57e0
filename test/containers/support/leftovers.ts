import { docker } from './docker';

/** On all that a test makes: the process it belongs to. */
export const OWNER_LABEL = 'skein.test.owner';

export const ownerLabels = { [OWNER_LABEL]: String(process.pid) } as const;

/** In the order in which they can go: containers hold networks and volumes. */
const KINDS = [
  { list: ['container', 'ls', '--all'], remove: ['container', 'rm', '--force', '--volumes'], id: 'ID' },
  { list: ['network', 'ls'], remove: ['network', 'rm'], id: 'ID' },
  { list: ['volume', 'ls'], remove: ['volume', 'rm'], id: 'Name' },
] as const;

/** Removes what killed runs of the suite have left, and leaves alone what belongs to one that runs. */
export async function removeLeftovers(): Promise<void> {
  for (const { list, remove, id } of KINDS) {
    const format = `{{.${id}}} {{.Label "${OWNER_LABEL}"}}`;
    const lines = await docker([...list, '--filter', `label=${OWNER_LABEL}`, '--format', format]);
    for (const line of lines.split('\n').filter(Boolean)) {
      const [name = '', owner] = line.split(' ');
      if (!isAlive(Number(owner))) await docker([...remove, name]);
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
