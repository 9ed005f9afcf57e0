import type { Event } from '@skein/contracts';
import type { Shown } from './stream-order';
import type { RunOutcome } from './stream-reader';

/** What a client of a stream asked for. */
export interface FrameOptions {
  readonly wantsChunks: boolean;
  /** The client answers a tool call of this event. */
  readonly functionCallEventId?: string | undefined;
  /** The client takes up broken streams, and so knows our `reset`. */
  readonly wantsResets: boolean;
  /** The client reads the session's log, and not the answer to its own message. */
  readonly wantsUserEvents?: boolean;
}

/** The SSE frames of one thing shown; each is to be written whole, because ADK's UI parses network chunks one by one. */
export function framesOf(shown: Shown, options: FrameOptions): string[] {
  switch (shown.kind) {
    case 'chunk':
      return options.wantsChunks ? [frame(shown.event)] : [];
    case 'reset':
      return options.wantsResets && options.wantsChunks ? [frame({ reset: shown.eventId })] : [];
    case 'event': {
      if (options.wantsUserEvents !== true && !isAnswerOfRun(shown.event)) return [];
      const pieces = splitArtifacts(shown.event, options);
      // Only the last piece carries the id: a client that has it has seen the whole event.
      return pieces.map((piece, i) => (i === pieces.length - 1 ? `id: ${shown.seq}\n` : '') + frame(piece));
    }
  }
}

/** The frame that tells a failure, the last of its stream. */
export function errorFrame(
  error: { readonly code: string; readonly message: string },
  nowMs: number,
): string {
  return frame({
    error: `${error.code}: ${error.message}`,
    error_details: { error_type: error.code, error_message: error.message, timestamp: nowMs / 1000 },
  });
}

/** Why a run failed; nothing for one that came to a good end, waits, or was cancelled. */
export function failureOf({ status, error }: RunOutcome): { code: string; message: string } | undefined {
  if (status !== 'failed' && status !== 'dead') return undefined;
  return error ?? { code: `invocation.${status}`, message: 'The invocation failed.' };
}

/** ADK answers a run with what the agents said; the user's own message is stored, not echoed. */
export function isAnswerOfRun(event: Event): boolean {
  return event.author !== 'user';
}

/** ADK's UI shows either content or artifacts of a frame, so an event with both goes in two. */
function splitArtifacts(event: Event, { functionCallEventId }: FrameOptions): Event[] {
  const hasParts = (event.content?.parts ?? []).length > 0;
  const hasArtifacts = Object.keys(event.actions.artifactDelta).length > 0;
  if (!hasParts || !hasArtifacts || functionCallEventId !== undefined) return [event];
  const { content: _content, ...withoutContent } = event;
  return [{ ...event, actions: { ...event.actions, artifactDelta: {} } }, withoutContent];
}

function frame(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
