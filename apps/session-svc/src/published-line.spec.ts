import { PublishedLine } from './published-line';

describe('PublishedLine', () => {
  it('moves over what is acked without a gap, in whatever order the acks come', () => {
    const line = new PublishedLine({ appName: 'a', userId: 'u', sessionId: 's' }, 'uid', 4);

    line.acked(6);
    expect(line.ackedSeq).toBe(4);
    line.acked(5);
    expect(line.ackedSeq).toBe(6);
  });
});
