import { allowListOf } from './allow-list';

/** What this process may reach beside the public internet; whoever loads agents gives it. */
export interface EgressSettings {
  readonly allow?: readonly string[];
}

let allowed: readonly string[] = [];

/** Sets what every guarded fetch of this process may reach beside what its author allows. Throws `egress.allow`. */
export function configureEgress({ allow = [] }: EgressSettings): void {
  allowListOf(allow);
  allowed = allow;
}

/** Whether `configureEgress` would take these entries. */
export function isEgressAllowList(entries: readonly string[]): boolean {
  try {
    allowListOf(entries);
    return true;
  } catch {
    // Whoever asks says it in the words of a setting.
    return false;
  }
}

/** As of now: toolsets are made before or after it is set, and ask at each request. */
export function egressAllowed(): readonly string[] {
  return allowed;
}

/** Reads them from the environment's names, as platform's `providerEnvironment()` gives them. */
export function egressSettingsFrom(environment: Readonly<Record<string, string>>): EgressSettings {
  return { allow: allowEntries(environment.TOOL_EGRESS_ALLOW ?? '') };
}

function allowEntries(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
}
