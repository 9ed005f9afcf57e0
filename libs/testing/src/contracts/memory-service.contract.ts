/// <reference types="jest" />
import { type Content, type Event, type Session } from '@skein/contracts';
import { type MemoryService } from '@skein/engine';
import { anEvent } from '../builders';
import { aSession } from '../run-turn';

/** What every MemoryService does (B61). `makeService` gives an empty one to each test. */
export function memoryServiceContract(
  name: string,
  makeService: () => MemoryService | Promise<MemoryService>,
): void {
  const user = { appName: 'app', userId: 'ada' };
  const session = (id: string, ...events: Event[]): Session => aSession({ ...user, id, events });

  describe(`${name}: the memory contract`, () => {
    let service: MemoryService;

    beforeEach(async () => {
      service = await makeService();
    });

    async function search(query: string, of = user): Promise<(string | undefined)[]> {
      const { memories } = await service.searchMemory({ ...of, query });
      return memories.map(({ content }) => content.parts?.map(({ text }) => text).join(' '));
    }

    it('finds what shares a word with the query, whatever its case and whatever stands around it (B61)', async () => {
      const said = saying('I like ORANGE_2, really!', 1);
      await service.addSessionToMemory(session('s1', said, saying('I like nothing.', 2)));

      const { memories } = await service.searchMemory({ ...user, query: '(orange_2?) apple' });

      expect(memories).toEqual([
        { content: said.content, author: 'ada', timestamp: '1970-01-01T00:00:01.000Z' },
      ]);
    });

    it('wants whole words: a part of one does not match (B61)', async () => {
      await service.addSessionToMemory(session('s1', saying('pineapples', 1)));

      expect(await search('apple')).toEqual([]);
      expect(await search('pineapple')).toEqual([]);
    });

    it.each([
      ['Größe', 'die GRÖSSE? größe', ['Größe']],
      ['я люблю чай', 'ЧАЙ', ['я люблю чай']],
      ['日本 語', '日本', ['日本 語']],
      ['don’t', 'don', ['don’t']],
    ])('knows the words of every script: %s is found by %s', async (said, query, found) => {
      await service.addSessionToMemory(session('s1', saying(said, 1)));

      expect(await search(query)).toEqual(found);
    });

    it('finds nothing by a query without words, and is not harmed by a strange one', async () => {
      await service.addSessionToMemory(session('s1', saying('a b', 1)));

      expect(await search('')).toEqual([]);
      expect(await search('?! \\ % {}')).toEqual([]);
      expect(await search("'; DROP TABLE adk_memory_entries; --")).toEqual([]);
      expect(await search(`${'x'.repeat(10_000)} B`)).toEqual(['a b']);
    });

    it('keeps a text of one endless word', async () => {
      await service.addSessionToMemory(session('s1', saying(`${'x'.repeat(50_000)} end`, 1)));

      expect(await search('end')).toHaveLength(1);
    });

    it('skips events without text (B61)', async () => {
      const call = { role: 'model', parts: [{ functionCall: { name: 'orange', args: { orange: 1 } } }] };
      const events = [
        anEvent({ content: call }),
        anEvent(),
        saying('', 1),
        anEvent({ content: { parts: [] } }),
      ];
      await service.addSessionToMemory(session('s1', ...events));

      expect(await search('orange')).toEqual([]);
    });

    it('reads all text parts of an event, and gives back its whole content', async () => {
      const content: Content = {
        role: 'user',
        parts: [{ text: 'red' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }, { text: 'blue' }],
      };
      await service.addSessionToMemory(session('s1', anEvent({ content })));

      expect((await service.searchMemory({ ...user, query: 'blue' })).memories).toMatchObject([{ content }]);
    });

    it('answers memories of all sessions of the user, the oldest first', async () => {
      await service.addSessionToMemory(session('s2', saying('tea at 3', 3), saying('tea at 1', 1)));
      await service.addSessionToMemory(session('s1', saying('tea at 2', 2), saying('tea again', 3)));

      expect(await search('tea')).toEqual(['tea at 1', 'tea at 2', 'tea again', 'tea at 3']);
    });

    it('answers at most the newest hundred', async () => {
      const events = Array.from({ length: 120 }, (_, n) => saying(`tea ${n}`, n));
      await service.addSessionToMemory(session('s1', ...events));

      const found = await search('tea');

      expect([found.length, found[0], found.at(-1)]).toEqual([100, 'tea 20', 'tea 119']);
    });

    it("keeps users and apps apart, also where the session's id is the same", async () => {
      await service.addSessionToMemory(session('s1', saying('my tea', 1)));
      await service.addSessionToMemory({ ...session('s1', saying('his tea', 1)), userId: 'bob' });
      await service.addSessionToMemory({ ...session('s1', saying('other tea', 1)), appName: 'other' });

      expect(await search('tea')).toEqual(['my tea']);
      expect(await search('tea', { appName: 'app', userId: 'bob' })).toEqual(['his tea']);
      expect(await search('tea', { appName: 'app', userId: 'nobody' })).toEqual([]);
    });

    it('replaces what it took of a session when the session is added again', async () => {
      const first = saying('tea', 1);
      await service.addSessionToMemory(session('s1', first));
      await service.addSessionToMemory(session('s1', first));
      expect(await search('tea')).toEqual(['tea']);

      await service.addSessionToMemory(session('s1', saying('coffee', 2)));

      expect(await search('tea coffee')).toEqual(['coffee']);
    });

    it('is right after the same session was added many times at once', async () => {
      const whole = session('s1', saying('tea one', 1), saying('tea two', 2));

      await Promise.all(Array.from({ length: 8 }, () => service.addSessionToMemory(whole)));

      expect(await search('tea')).toEqual(['tea one', 'tea two']);
    });

    it('answers copies: changing one changes nothing kept', async () => {
      const said = saying('tea', 1);
      await service.addSessionToMemory(session('s1', said));
      const { memories } = await service.searchMemory({ ...user, query: 'tea' });

      memories[0]?.content.parts?.push({ text: 'more' });
      said.content?.parts?.push({ text: 'more' });

      expect(await search('tea')).toEqual(['tea']);
    });
  });
}

function saying(text: string, timestamp: number): Event {
  return anEvent({ author: 'ada', timestamp, content: { role: 'user', parts: [{ text }] } });
}
