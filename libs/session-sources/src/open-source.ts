import { openPostgresSource } from './postgres/postgres-source';
import { type SessionSource } from './session-source';
import { parseSourceAddress } from './source-address';
import { openSqliteSource } from './sqlite/sqlite-source';

/** Opens what `from` names, all of it or one app's rows; throws a SourceError when it is no session database of an ADK. */
export async function openSource(from: string, app?: string): Promise<SessionSource> {
  const address = parseSourceAddress(from);
  return address.kind === 'postgres'
    ? openPostgresSource({ ...address, app })
    : openSqliteSource(address.file, app);
}
