import { randomUUID } from 'node:crypto';
import { AdkError, type Event, type Session, type SessionKey } from '@skein/contracts';
import { type ArtifactService } from '../artifact/artifact-service';
import { createEvent } from '../event/create-event';
import { type SessionService } from '../session/session-service';
import { splitState } from '../state/state-scope';
import {
  type ArtifactBefore,
  artifactsToRestore,
  type DeltasOfEvent,
  stateRestoringDelta,
} from './rewind-deltas';

export interface RewindServices {
  readonly sessionService: SessionService;
  readonly artifactService?: ArtifactService | undefined;
}

export interface RewindRequest extends SessionKey {
  readonly rewindBeforeInvocationId: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Takes back the named invocation and all that came after it (B55): one event is appended that hides the others from
 * models (B1) and restores state and artifacts as they were before. Nothing is deleted. For one process, with no run
 * under way; the services do the same in one transaction.
 */
export async function rewindSession(services: RewindServices, request: RewindRequest): Promise<Session> {
  const { sessionService } = services;
  const { appName, userId, sessionId, rewindBeforeInvocationId } = request;
  const key = { appName, userId, sessionId };
  const session = await sessionService.getSession(key);
  if (!session) throw new AdkError('not_found', 'session.not-found', `Session not found: ${sessionId}`);
  const { kept, takenBack } = splitBefore(session.events, rewindBeforeInvocationId);
  const before = await sessionService.getSession({ ...key, atSeq: kept.length, numRecentEvents: 0 });
  const event = createEvent({
    id: randomUUID(),
    invocationId: `e-${randomUUID()}`,
    author: 'user',
    timestamp: request.now() / 1000,
    actions: {
      rewindBeforeInvocationId,
      stateDelta: stateRestoringDelta(splitState(before?.state ?? {}).session, actionsOf(takenBack)),
      artifactDelta: await restoreArtifacts(
        services,
        key,
        artifactsToRestore(actionsOf(kept), actionsOf(takenBack)),
      ),
    },
  });
  await sessionService.appendEvent({ session, event });
  return (await sessionService.getSession(key)) ?? session;
}

function splitBefore(
  events: readonly Event[],
  invocationId: string,
): { kept: readonly Event[]; takenBack: readonly Event[] } {
  const first = events.findIndex((event) => event.invocationId === invocationId);
  if (first >= 0) return { kept: events.slice(0, first), takenBack: events.slice(first) };
  throw new AdkError('not_found', 'invocation.not-found', `Invocation not found: ${invocationId}`);
}

function actionsOf(events: readonly Event[]): DeltasOfEvent[] {
  return events.map(({ actions }) => actions);
}

/** Old content as a new version; one that did not exist becomes empty, which loads as nothing (B60). */
async function restoreArtifacts(
  { artifactService }: RewindServices,
  key: SessionKey,
  artifacts: readonly ArtifactBefore[],
): Promise<Record<string, number>> {
  const restored: [string, number][] = [];
  if (!artifactService) return {};
  for (const { filename, version } of artifacts) {
    const name = { ...key, filename };
    const old = version === undefined ? undefined : await artifactService.loadArtifact({ ...name, version });
    restored.push([filename, await artifactService.saveArtifact({ ...name, artifact: old ?? {} })]);
  }
  return Object.fromEntries(restored);
}
