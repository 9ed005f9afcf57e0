import { AdkError, type appNameSchema, type sessionKeySchema } from '@skein/contracts';
import { RowProblem, SourceError } from '@skein/session-sources';
import { type ImportReport } from './import-report';

/** A row of the source, and what is counted when it cannot be stored. */
export interface RowUnderWork {
  readonly where: string;
  readonly leaveOut: () => void;
}

/** Does it, or tells why this row cannot be stored; what is not about a row ends the import. */
export async function orTell(
  report: ImportReport,
  { where, leaveOut }: RowUnderWork,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (raw) {
    const error = unwrapped(raw);
    const isOfRow = error instanceof RowProblem || (AdkError.isInstance(error) && error.kind === 'invalid');
    if (!isOfRow) throw error;
    leaveOut();
    report.problem(where, describeError(error));
  }
}

/** What is thrown within a transaction comes out as the transaction's failure. */
function unwrapped(error: unknown): unknown {
  const cause = AdkError.isInstance(error) ? error.cause : undefined;
  return cause instanceof RowProblem || cause instanceof SourceError ? cause : error;
}

/** With the database's own word behind ours. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const behind = AdkError.isInstance(error) && error.cause instanceof Error ? error.cause.message : '';
  return error.message.includes(behind) ? error.message : `${error.message} (${behind})`;
}

export function assertValid(schema: typeof appNameSchema | typeof sessionKeySchema, value: unknown): void {
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    throw new RowProblem(
      parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`.trim()).join('; '),
    );
  }
}

/** Ids may hold anything, also what would break a line. */
export function quoted(ids: readonly (string | undefined)[]): string {
  return ids
    .filter((id) => id !== undefined)
    .map((id) => JSON.stringify(id.length > 100 ? `${id.slice(0, 100)}…` : id))
    .join(' ');
}
