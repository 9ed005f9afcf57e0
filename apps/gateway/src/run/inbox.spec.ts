import { anEvent, SESSION_UID } from '../../test/fake-session-svc';
import type { FeedMessage } from '../session-feed';
import { Inbox } from './inbox';

const MIB = 1024 * 1024;

describe('Inbox', () => {
  it('gives a message that is larger than all it may hold, and counts its bytes no longer', async () => {
    const inbox = new Inbox();

    inbox.push(message(1), 4 * MIB);

    expect(await inbox.next(10)).toEqual([message(1)]);
    inbox.push(message(2), MIB / 2);
    inbox.push(message(3), MIB / 2);
    expect(await inbox.next(10)).toEqual([message(2), message(3)]);
  });

  it('gives up what it holds for one `missed`, by bytes as by count', async () => {
    const bySize = new Inbox();
    bySize.push(message(1), MIB);
    bySize.push(message(2), 1);
    const byCount = new Inbox();
    for (let seq = 1; seq <= 1025; seq++) byCount.push(message(seq), 1);

    for (const inbox of [bySize, byCount]) {
      expect(await inbox.next(10)).toEqual([{ kind: 'missed' }]);
      expect(await inbox.next(1)).toEqual([]);
    }
  });
});

function message(seq: number): FeedMessage {
  return { kind: 'event', message: { seq, event: anEvent(), sessionUid: SESSION_UID } };
}
