import { type ToolNames } from '../request/tool-names';
import { isRecord } from '../reading/is-record';

/** Whole messages, or events of a streamed one, in which tools go by the names that the engine knows them by. */
export async function* withMeantNames(
  pieces: AsyncIterable<unknown>,
  names: Pick<ToolNames, 'meant'>,
): AsyncGenerator<unknown, void> {
  for await (const piece of pieces) yield withMeantName(piece, names);
}

/** What is not in the API's form is left for whoever reads it. */
function withMeantName(piece: unknown, names: Pick<ToolNames, 'meant'>): unknown {
  if (!isRecord(piece)) return piece;
  if (Array.isArray(piece.content)) {
    return { ...piece, content: piece.content.map((block: unknown) => meant(block, names)) };
  }
  return 'content_block' in piece ? { ...piece, content_block: meant(piece.content_block, names) } : piece;
}

function meant(block: unknown, names: Pick<ToolNames, 'meant'>): unknown {
  if (!isRecord(block) || block.type !== 'tool_use' || typeof block.name !== 'string') return block;
  return { ...block, name: names.meant(block.name) };
}
