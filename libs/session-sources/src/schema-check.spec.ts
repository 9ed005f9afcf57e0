import { checkSchema, type SourceTables } from './schema-check';
import { SourceError } from './session-source';

function tables(change: Readonly<Record<string, readonly string[]>> = {}): SourceTables {
  const all = {
    sessions: ['app_name', 'user_id', 'id', 'state', 'create_time', 'update_time'],
    events: ['app_name', 'user_id', 'session_id', 'id', 'invocation_id', 'timestamp', 'event_data'],
    app_states: ['app_name', 'state', 'update_time'],
    user_states: ['app_name', 'user_id', 'state', 'update_time'],
    ...change,
  };
  return new Map(
    Object.entries(all).map(([table, columns]) => [
      table,
      new Map(columns.map((column) => [column, 'text'])),
    ]),
  );
}

describe('the schema of a source', () => {
  it.each(['1', undefined])('is read when its version is %p', (version) => {
    expect(() => checkSchema(tables(), version)).not.toThrow();
  });

  it.each<[string, SourceTables, string | undefined, string]>([
    ['pickled by its version', tables(), '0', 'adk migrate session'],
    [
      'pickled by its tables',
      tables({ events: ['id', 'actions', 'content'] }),
      undefined,
      'adk migrate session',
    ],
    ['newer', tables(), '2', 'version 2'],
    ['without a table', tables({ events: [] }), '1', 'no table events'],
    [
      'without a column',
      tables({ app_states: ['app_name', 'update_time'] }),
      '1',
      'no column app_states.state',
    ],
  ])('is refused when it is %s', (_, found, version, sentence) => {
    expect(() => checkSchema(found, version)).toThrow(SourceError);
    expect(() => checkSchema(found, version)).toThrow(sentence);
  });
});
