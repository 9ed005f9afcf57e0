import { SharedJournal } from './shared-journal';

describe('a journal that two threads share', () => {
  let writer: SharedJournal;
  let reader: SharedJournal;
  beforeEach(() => {
    writer = new SharedJournal();
    reader = new SharedJournal(writer.memory);
  });

  it('has what was written since the last look, in its order', () => {
    writer.write({ n: 1, text: 'a line\nand ü' });
    writer.write({ n: 2 });

    expect(reader.read()).toEqual([{ n: 1, text: 'a line\nand ü' }, { n: 2 }]);
    expect(reader.read()).toEqual([]);
  });

  it('has every entry when it has gone round many times', () => {
    const text = 'x'.repeat(1_000);
    let read = 0;
    for (let n = 0; n < 5_000; n++) {
      writer.write({ n, text });
      if (n % 700 === 0) for (const entry of reader.read()) expect(entry).toEqual({ n: read++, text });
    }
    for (const entry of reader.read()) expect(entry).toEqual({ n: read++, text });

    expect(read).toBe(5_000);
  });

  it('goes on where its counts run over', () => {
    const counts = new Uint32Array(writer.memory, 0, 2);
    counts.fill(2 ** 32 - 5);

    writer.write({ n: 1 });
    writer.write({ n: 2 });

    expect(reader.read()).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('keeps what there is no room for until somebody has looked', () => {
    const text = 'x'.repeat(600_000);
    writer.write({ n: 1, text });
    writer.write({ n: 2, text });
    writer.write({ n: 3 });

    expect(reader.read()).toEqual([{ n: 1, text }]);
    writer.write({ n: 4 });
    expect(reader.read()).toEqual([{ n: 2, text }, { n: 3 }, { n: 4 }]);
  });
});
