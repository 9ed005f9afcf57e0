import { type Event } from '@skein/contracts';
import { anEvent } from '@skein/testing';
import { InMemoryArtifactService } from '../artifact/in-memory-artifact-service';
import { InMemorySessionService } from '../session/in-memory-session-service';
import { rewindSession } from './rewind-session';

const key = { appName: 'app', userId: 'ada', sessionId: 's' };
const text = (value: string) => ({ text: value });

describe('rewinding a session (B55)', () => {
  let sessionService: InMemorySessionService;
  let artifactService: InMemoryArtifactService;

  beforeEach(() => {
    sessionService = new InMemorySessionService();
    artifactService = new InMemoryArtifactService();
  });

  const said = (invocationId: string, stateDelta = {}, artifactDelta = {}): Event =>
    anEvent({ invocationId, actions: { stateDelta, artifactDelta } });
  const rewind = (rewindBeforeInvocationId: string) =>
    rewindSession(
      { sessionService, artifactService },
      { ...key, rewindBeforeInvocationId, now: () => 5_000 },
    );

  it('appends one event that names the invocation, and keeps all others (B55)', async () => {
    const events = [said('e-1'), said('e-2'), said('e-2'), said('e-3')];
    await sessionService.createSession({ ...key, events });

    const session = await rewind('e-2');

    expect(session.events.slice(0, 4)).toEqual(events);
    expect(session.events.slice(4)).toEqual([
      expect.objectContaining({
        author: 'user',
        timestamp: 5,
        invocationId: expect.stringMatching(/^e-[0-9a-f-]{36}$/) as unknown,
        actions: expect.objectContaining({ rewindBeforeInvocationId: 'e-2' }) as unknown,
      }),
    ]);
  });

  it('gives changed keys their old value, also one the session began with, and makes new ones null (B55)', async () => {
    const events = [
      said('e-1', { a: 1, list: [1] }),
      said('e-2', { a: 2, initial: 2, fresh: true, same: { x: 1, y: 2 } }),
      said('e-3', { list: [1, 2] }),
    ];
    await sessionService.createSession({ ...key, state: { initial: 1, same: { y: 2, x: 1 } }, events });

    const session = await rewind('e-2');

    expect(session.events.at(-1)?.actions.stateDelta).toEqual({ a: 1, initial: 1, fresh: null, list: [1] });
    expect(session.state).toEqual({ a: 1, initial: 1, fresh: null, list: [1], same: { x: 1, y: 2 } });
  });

  it('leaves app: and user: keys as they are (B55)', async () => {
    await sessionService.createSession({ ...key, events: [said('e-1', { 'app:a': 1, 'user:b': 2, c: 3 })] });

    const session = await rewind('e-1');

    expect(session.state).toEqual({ 'app:a': 1, 'user:b': 2, c: null });
  });

  it('saves changed artifacts again with their old content, and empties those made later (B55)', async () => {
    const save = (filename: string, value: string) =>
      artifactService.saveArtifact({ ...key, filename, artifact: text(value) });
    await save('kept', 'kept');
    await save('changed', 'old');
    await save('changed', 'new');
    await save('fresh', 'fresh');
    await save('user:mine', 'old');
    await save('user:mine', 'new');
    const events = [
      said('e-1', {}, { kept: 0, changed: 0, 'user:mine': 0 }),
      said('e-2', {}, { changed: 1, fresh: 0, 'user:mine': 1 }),
    ];
    await sessionService.createSession({ ...key, events });

    const session = await rewind('e-2');

    expect(session.events.at(-1)?.actions.artifactDelta).toEqual({ changed: 2, fresh: 1 });
    const load = (filename: string) => artifactService.loadArtifact({ ...key, filename });
    expect(await Promise.all(['kept', 'changed', 'fresh', 'user:mine'].map(load))).toEqual([
      text('kept'),
      text('old'),
      undefined,
      text('new'),
    ]);
  });

  it('can be done again, over an earlier rewind (B55)', async () => {
    const events = [said('e-1', { a: 1 }), said('e-2', { a: 2 })];
    const session = await sessionService.createSession({ ...key, state: { a: 0 }, events });
    await rewind('e-2');
    await sessionService.appendEvent({ session, event: said('e-3', { a: 3 }) });

    expect((await rewind('e-3')).state).toEqual({ a: 1 });
    expect((await rewind('e-1')).state).toEqual({ a: 0 });
  });

  it('works without an artifact service', async () => {
    await sessionService.createSession({ ...key, events: [said('e-1', { a: 1 }, { file: 0 })] });

    const session = await rewindSession(
      { sessionService },
      { ...key, rewindBeforeInvocationId: 'e-1', now: () => 0 },
    );

    expect(session.events.at(-1)?.actions).toMatchObject({ stateDelta: { a: null }, artifactDelta: {} });
  });

  it('refuses an invocation or a session it does not know, and stores nothing', async () => {
    await sessionService.createSession({ ...key, events: [said('e-1')] });

    await expect(rewind('e-9')).rejects.toMatchObject({ kind: 'not_found', code: 'invocation.not-found' });
    await expect(
      rewindSession(
        { sessionService },
        { ...key, sessionId: 'other', rewindBeforeInvocationId: 'e-1', now: Date.now },
      ),
    ).rejects.toMatchObject({ kind: 'not_found', code: 'session.not-found' });
    expect((await sessionService.getSession(key))?.events).toHaveLength(1);
  });
});
