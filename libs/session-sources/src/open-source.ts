import { openPostgresSource } from './postgres/postgres-source';
import { type SessionSource } from './session-source';
import { parseSourceAddress } from './source-address';
import { openSqliteSource } from './sqlite/sqlite-source';

/** Opens what `from` names, all of it or some apps' rows; throws a SourceError when it is no session database of an ADK. */
export async function openSource(from: string, apps?: readonly string[]): Promise<SessionSource> {
  const address = parseSourceAddress(from);
  return address.kind === 'postgres'
    ? openPostgresSource({ ...address, apps })
    : openSqliteSource(address.file, apps);
}
