import type { ContentBlock, Message, RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import { type ToolNames } from '../provider/tool-names';
import { readingAnthropic } from './reading-anthropic';

/** A whole message, or an event of a streamed one. */
export type AnthropicPiece = Message | RawMessageStreamEvent;

/** An answer in which tools go by the names that the engine knows them by. */
export async function* withMeantNames(
  pieces: AsyncIterable<AnthropicPiece>,
  names: ToolNames,
): AsyncGenerator<AnthropicPiece, void> {
  for await (const piece of pieces) yield readingAnthropic(() => withMeantName(piece, names));
}

function withMeantName(piece: AnthropicPiece, names: ToolNames): AnthropicPiece {
  if (piece.type === 'message') {
    return { ...piece, content: piece.content.map((block) => meant(block, names)) };
  }
  if (piece.type !== 'content_block_start') return piece;
  return { ...piece, content_block: meant(piece.content_block, names) };
}

function meant<Block extends ContentBlock>(block: Block, names: ToolNames): Block {
  return block.type === 'tool_use' ? { ...block, name: names.meant(block.name) } : block;
}
