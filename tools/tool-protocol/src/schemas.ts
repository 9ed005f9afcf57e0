import {
  againCallSchema,
  againVerdictSchema,
  askStoredSchema,
  beginToolSchema,
  begunToolSchema,
  cancelledCallsSchema,
  databaseClockSchema,
  returnCallSchema,
  returnedCallSchema,
  rpcReplySchema,
  storedVerdictSchema,
  takenResultSchema,
  toolCallMessageSchema,
  toolProgressSchema,
  toolResultMessageSchema,
  workerAnnouncementSchema,
} from '@skein/contracts';
import { z } from 'zod';

/** Each message of the tool protocol, by the name of its file. */
const messages = {
  call: toolCallMessageSchema,
  result: toolResultMessageSchema,
  taken: takenResultSchema,
  progress: toolProgressSchema,
  announcement: workerAnnouncementSchema,
  cancel: cancelledCallsSchema,
  stored: askStoredSchema,
  'stored-verdict': storedVerdictSchema,
  begin: beginToolSchema,
  begun: begunToolSchema,
  return: returnCallSchema,
  returned: returnedCallSchema,
  again: againCallSchema,
  'again-verdict': againVerdictSchema,
  clock: databaseClockSchema,
  reply: rpcReplySchema,
};

export const PROTOCOL_FOLDER = 'docs/reference/tool-protocol';

/** The JSON Schema of each message, as text, by the path of its file. */
export function protocolFiles(): Map<string, string> {
  return new Map(
    Object.entries(messages).map(([name, schema]) => {
      // As it is on the wire, before defaults are filled in. What JSON Schema has no word for is any value.
      const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
      return [`${PROTOCOL_FOLDER}/${name}.schema.json`, `${JSON.stringify(json, null, 2)}\n`] as const;
    }),
  );
}
