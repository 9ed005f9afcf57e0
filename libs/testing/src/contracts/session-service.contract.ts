/// <reference types="jest" />
import { type SessionService } from '@skein/engine';
import { anEvent } from '../builders';

/** What every SessionService does. `makeService` gives an empty one to each test. */
export function sessionServiceContract(
  name: string,
  makeService: () => SessionService | Promise<SessionService>,
): void {
  const key = { appName: 'app', userId: 'user 1', sessionId: 's.1' };

  describe(`${name}: the session contract`, () => {
    let service: SessionService;

    beforeEach(async () => {
      service = await makeService();
    });

    it('makes an id when none is given', async () => {
      const session = await service.createSession({ appName: 'app', userId: 'u' });

      expect(session.id).not.toBe('');
      expect(await service.getSession({ appName: 'app', userId: 'u', sessionId: session.id })).toEqual(
        session,
      );
    });

    it('refuses an id that is taken, and keeps what is there', async () => {
      await service.createSession({ ...key, state: { kept: true } });

      await expect(service.createSession(key)).rejects.toMatchObject({ code: 'session.exists' });
      expect(await service.getSession(key)).toMatchObject({ state: { kept: true } });
    });

    it('keeps sessions of the same id apart by user and by app', async () => {
      await service.createSession({ ...key, state: { whose: 'mine' } });
      await service.createSession({ ...key, userId: 'user 2', state: { whose: 'hers' } });
      await service.createSession({ ...key, appName: 'other', state: { whose: 'theirs' } });

      expect(await service.getSession(key)).toMatchObject({ state: { whose: 'mine' } });
    });

    it('answers nothing for a session that is not there', async () => {
      expect(await service.getSession(key)).toBeUndefined();
    });

    it('routes state by prefix, merges it back with prefixes, and keeps temp: keys nowhere (B57)', async () => {
      await service.createSession({ ...key, state: { a: 1, 'user:b': 2, 'app:c': 3, 'temp:d': 4 } });
      await service.createSession({ ...key, sessionId: 'of the same user' });
      await service.createSession({ ...key, userId: 'another', sessionId: 'of another user' });

      expect((await service.getSession(key))?.state).toEqual({ a: 1, 'user:b': 2, 'app:c': 3 });
      const [sameUser] = (await service.listSessions(key)).filter(({ id }) => id === 'of the same user');
      expect(sameUser?.state).toEqual({ 'user:b': 2, 'app:c': 3 });
      const [otherUser] = await service.listSessions({ appName: 'app', userId: 'another' });
      expect(otherUser?.state).toEqual({ 'app:c': 3 });
    });

    it('stores events in the order they were appended, and folds their state', async () => {
      const session = await service.createSession({ ...key, state: { n: 0 } });
      const first = anEvent({ timestamp: 5, actions: { stateDelta: { n: 1, 'user:b': true } } });
      const second = anEvent({ timestamp: 4, actions: { stateDelta: { n: 2 } } });

      await service.appendEvent({ session, event: first });
      await service.appendEvent({ session, event: second });

      const stored = await service.getSession(key);
      expect(stored?.events).toEqual([first, second]);
      expect(stored?.state).toEqual({ n: 2, 'user:b': true });
    });

    it('stores no temp: key of an event (B56) and no partial event (B19)', async () => {
      const session = await service.createSession(key);

      await service.appendEvent({
        session,
        event: anEvent({ actions: { stateDelta: { 'temp:x': 1, y: 2 } } }),
      });
      await service.appendEvent({
        session,
        event: anEvent({ partial: true, actions: { stateDelta: { z: 3 } } }),
      });

      const stored = await service.getSession(key);
      expect(stored?.events.map(({ actions }) => actions.stateDelta)).toEqual([{ y: 2 }]);
      expect(stored?.state).toEqual({ y: 2 });
    });

    it('changes nothing when the same event is appended again', async () => {
      const session = await service.createSession(key);
      const event = anEvent({ actions: { stateDelta: { n: 1 } } });
      await service.appendEvent({ session, event });
      await service.appendEvent({ session, event: anEvent({ actions: { stateDelta: { n: 2 } } }) });

      await service.appendEvent({ session, event });

      const stored = await service.getSession(key);
      expect(stored?.events).toHaveLength(2);
      expect(stored?.state).toEqual({ n: 2 });
    });

    it('refuses an event for a session that is gone', async () => {
      const session = await service.createSession(key);
      await service.deleteSession(key);

      await expect(service.appendEvent({ session, event: anEvent() })).rejects.toMatchObject({
        code: 'session.not-found',
      });
    });

    it('answers only the last events when asked to, none for 0', async () => {
      const events = [anEvent(), anEvent(), anEvent()];
      const session = await service.createSession(key);
      for (const event of events) await service.appendEvent({ session, event });

      expect((await service.getSession({ ...key, numRecentEvents: 2 }))?.events).toEqual(events.slice(1));
      expect((await service.getSession({ ...key, numRecentEvents: 0 }))?.events).toEqual([]);
      expect((await service.getSession({ ...key, numRecentEvents: 9 }))?.events).toEqual(events);
    });

    it('answers only events above a seq, or since a time, when asked to', async () => {
      const events = [1, 2, 3].map((timestamp) => anEvent({ timestamp }));
      const session = await service.createSession(key);
      for (const event of events) await service.appendEvent({ session, event });

      expect((await service.getSession({ ...key, afterSeq: 1 }))?.events).toEqual(events.slice(1));
      expect((await service.getSession({ ...key, afterTimestamp: 2 }))?.events).toEqual(events.slice(1));
    });

    it('takes events at creation as if they were appended: deltas folded, no partial ones, no temp: keys', async () => {
      const events = [
        anEvent({ actions: { stateDelta: { n: 2, 'user:u': 1, 'app:a': 1, 'temp:t': 1 } } }),
        anEvent({ partial: true, actions: { stateDelta: { n: 3 } } }),
      ];

      const created = await service.createSession({ ...key, state: { n: 1, m: 1 }, events });

      expect(created.state).toEqual({ n: 2, m: 1, 'user:u': 1, 'app:a': 1 });
      expect(created.events.map(({ actions }) => actions.stateDelta)).toEqual([
        { n: 2, 'user:u': 1, 'app:a': 1 },
      ]);
      expect(await service.getSession(key)).toEqual(created);
      const [listed] = await service.listSessions(key);
      expect(listed).toEqual({ ...created, events: [] });
    });

    it('answers a session as it was at a seq: its events and its own state, shared state as it is now', async () => {
      const session = await service.createSession({ ...key, state: { n: 0, first: true, 'user:u': 0 } });
      const events = [{ n: 1, 'user:u': 1 }, { later: null }, { n: 2, 'app:a': 2 }].map((stateDelta) =>
        anEvent({ actions: { stateDelta } }),
      );
      for (const event of events) await service.appendEvent({ session, event });
      const at = async (atSeq: number) => {
        const found = await service.getSession({ ...key, atSeq });
        return [found?.events.length, found?.state];
      };

      const shared = { 'user:u': 1, 'app:a': 2 };
      expect(await at(0)).toEqual([0, { n: 0, first: true, ...shared }]);
      expect(await at(1)).toEqual([1, { n: 1, first: true, ...shared }]);
      expect(await at(2)).toEqual([2, { n: 1, first: true, later: null, ...shared }]);
      expect(await at(3)).toEqual([3, { n: 2, first: true, later: null, ...shared }]);
      expect(await at(99)).toEqual([3, { n: 2, first: true, later: null, ...shared }]);
    });

    it('answers a part of the events of a session as it was at a seq', async () => {
      const events = [anEvent(), anEvent(), anEvent(), anEvent()];
      await service.createSession({ ...key, events });
      const found = async (filter: object) => (await service.getSession({ ...key, ...filter }))?.events;

      expect(await found({ atSeq: 3, afterSeq: 1 })).toEqual(events.slice(1, 3));
      expect(await found({ atSeq: 3, numRecentEvents: 1 })).toEqual(events.slice(2, 3));
    });

    it("lists a user's sessions, the newest first, without events", async () => {
      for (const [index, sessionId] of ['old', 'new'].entries()) {
        const session = await service.createSession({ ...key, sessionId });
        await service.appendEvent({ session, event: anEvent({ timestamp: 4e9 + index }) });
      }

      const listed = await service.listSessions(key);

      expect(listed.map(({ id }) => id)).toEqual(['new', 'old']);
      expect(listed.every(({ events }) => events.length === 0)).toBe(true);
    });

    it('deletes a session with its own state, not the state of its user; twice does no harm', async () => {
      await service.createSession({ ...key, state: { a: 1, 'user:b': 2 } });

      await service.deleteSession(key);
      await service.deleteSession(key);

      expect(await service.getSession(key)).toBeUndefined();
      expect((await service.createSession(key)).state).toEqual({ 'user:b': 2 });
    });

    it('answers copies: changing one changes nothing stored', async () => {
      const session = await service.createSession({ ...key, state: { list: [1] } });

      (session.state.list as number[]).push(2);
      session.events.push(anEvent());

      expect(await service.getSession(key)).toMatchObject({ state: { list: [1] }, events: [] });
    });
  });
}
