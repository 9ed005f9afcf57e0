import type { AppName } from './app-environment';

export interface PlannedApp {
  readonly name: string;
  readonly app: AppName;
}

/**
 * The processes of a stack in groups. They start first to last: session-svc makes the streams and answers what
 * the others ask at their start. They end last to first: no new work comes in, then what runs is finished,
 * while the log that takes the results is still there.
 */
export function planApps(runners: number, toolWorkers: number): readonly (readonly PlannedApp[])[] {
  return [
    [{ name: 'session-svc', app: 'session-svc' }],
    [...numbered('runner', runners), ...numbered('tool-worker', toolWorkers)],
    [{ name: 'gateway', app: 'gateway' }],
  ];
}

function numbered(app: AppName, count: number): readonly PlannedApp[] {
  return Array.from({ length: count }, (_, index) => ({ name: `${app}-${index + 1}`, app }));
}
