import { isEvent, isRecord, type Json, type JsonRecord, mapRecords } from './json';
import { withoutOwnWords } from './own-words';

/** What was played in the form in which the two are compared; `without` leaves out one rewriting. */
export function comparable(played: Json, without?: string): Json {
  return differencesOfForm
    .filter(({ name }) => name !== without)
    .reduce((value, { rewrite }) => (isRecord(value) ? rewrite(value) : value), played);
}

/** A difference that every agent shows. Both sides are rewritten to one form, so that the others can be seen. */
export interface DifferenceOfForm {
  readonly name: string;
  readonly theirs: string;
  readonly ours: string;
  readonly because: string;
  readonly rewrite: (played: JsonRecord) => Json;
}

export const differencesOfForm: readonly DifferenceOfForm[] = [
  {
    name: 'timestamps',
    theirs: "An event's `timestamp` counts milliseconds.",
    ours: 'It counts seconds.',
    because: 'adk-python counts seconds, and so do the UI and every client of the REST surface.',
    rewrite: (played) =>
      mapRecords(played, (record) => (isEvent(record) ? without(record, 'timestamp') : record)),
  },
  {
    name: 'long-running-ids',
    theirs: 'Every event has `longRunningToolIds`, empty where there are none.',
    ours: 'Events that call no tool have none.',
    because: 'adk-python sets it only for an answer of the model that has calls (wire shapes).',
    rewrite: (played) =>
      mapRecords(played, (record) =>
        isEvent(record) && isEmpty(record.longRunningToolIds)
          ? without(record, 'longRunningToolIds')
          : record,
      ),
  },
  {
    name: 'identity',
    theirs:
      "The system instruction begins with the agent's name, then its description in a paragraph of its own.",
    ours: 'Instructions come first; name and description are one paragraph behind them.',
    because: "B24, B25: the order of adk-python's processors, and its sentence.",
    rewrite: (played) =>
      mapRecords(played, (record) =>
        typeof record.systemInstruction === 'string'
          ? { ...record, systemInstruction: identityFirst(record.systemInstruction) }
          : record,
      ),
  },
  {
    name: 'schemas',
    theirs:
      "Schemas of tools (`parameters`) and of answers (`responseSchema`) are google-genai's, with types in capitals.",
    ours: 'They are JSON Schema: `parametersJsonSchema`, `responseJsonSchema`.',
    because:
      'Models that are not Gemini take JSON Schema, and Gemini takes both; nothing is lost on the way.',
    rewrite: (played) => mapRecords(played, byJsonSchema),
  },
  {
    name: 'label',
    theirs: "A request is labelled with the agent's name: `config.labels.adk_agent_name`.",
    ours: 'It has no labels but those of the author.',
    because: 'Labels are for the bills of Vertex AI: an author who wants them sets them.',
    rewrite: (played) =>
      mapRecords(played, (record) =>
        isRecord(record.labels) && 'adk_agent_name' in record.labels ? without(record, 'labels') : record,
      ),
  },
  {
    name: 'call-ids',
    theirs: 'Ids that the library gave to calls are taken out of a request before the model gets it.',
    ours: 'They are taken out by the adapter of a provider that refuses them (Gemini).',
    because: 'B9: Claude and OpenAI pair calls and results by id, so the flow leaves them in.',
    rewrite: (played) => ({ ...played, asked: mapRecords(played.asked ?? null, withoutCallId) }),
  },
  {
    name: 'own-metadata',
    theirs: 'There is none of its own.',
    ours: 'Some events say in `customMetadata` what a run that was cut goes on by, under names that begin with `skein.`.',
    because: 'A run that was cut goes on in another process, and knows by these which answers a model gave.',
    rewrite: (played) => mapRecords(played, withoutOwnMetadata),
  },
  {
    name: 'words',
    theirs: "Built-in tools and the instructions about them are described in the library's words.",
    ours: 'They are described in our words, which say the same.',
    because: 'Nothing is copied; names, parameters and what is told about are compared.',
    rewrite: withoutOwnWords,
  },
];

const IDENTITY =
  /(?:^|\n\n)(You are an agent\. Your internal name is ".*?"\.)(?:\s+(The description about you is ".*?")\.?)?(?=\n\n|$)/;

function identityFirst(instruction: string): string {
  const [found, name, description] = IDENTITY.exec(instruction) ?? [];
  if (found === undefined) return instruction;
  const others = instruction.replace(found, () => '').replace(/^\n\n/, '');
  return [name, description, others].filter((piece) => piece).join('\n\n');
}

function byJsonSchema(record: JsonRecord): JsonRecord {
  const { parameters, responseSchema, ...others } = record;
  if (isRecord(responseSchema)) {
    return { ...others, responseJsonSchema: mapRecords(responseSchema, lowerCaseType) };
  }
  const isDeclaration = isRecord(parameters) && typeof record.name === 'string';
  return isDeclaration ? { ...others, parametersJsonSchema: mapRecords(parameters, lowerCaseType) } : record;
}

function lowerCaseType(schema: JsonRecord): JsonRecord {
  return typeof schema.type === 'string' ? { ...schema, type: schema.type.toLowerCase() } : schema;
}

function withoutCallId(record: JsonRecord): JsonRecord {
  const { functionCall, functionResponse } = record;
  if (isRecord(functionCall)) return { ...record, functionCall: without(functionCall, 'id') };
  if (isRecord(functionResponse)) return { ...record, functionResponse: without(functionResponse, 'id') };
  return record;
}

function withoutOwnMetadata(record: JsonRecord): JsonRecord {
  const { customMetadata } = record;
  if (!isEvent(record) || !isRecord(customMetadata)) return record;
  const kept = Object.entries(customMetadata).filter(([name]) => !name.startsWith('skein.'));
  const others = without(record, 'customMetadata');
  return kept.length > 0 ? { ...others, customMetadata: Object.fromEntries(kept) } : others;
}

function without(record: JsonRecord, key: string): JsonRecord {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
}

function isEmpty(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length === 0;
}
