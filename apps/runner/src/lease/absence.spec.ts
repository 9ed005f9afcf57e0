import { Absence } from './absence';

function anAbsence(): { absence: Absence; pass: (ms: number) => void } {
  let now = 1_000;
  const absence = new Absence(500, 2_000, () => now);
  return { absence, pass: (ms) => (now += ms) };
}

describe('Absence', () => {
  it('is none while the event loop turns', () => {
    const { absence, pass } = anAbsence();

    for (let tick = 0; tick < 20; tick++) {
      pass(100);
      expect(absence.wasLately()).toBe(false);
    }
  });

  it('is seen by whoever asks before the timer has its turn, and for a while after it', () => {
    const { absence, pass } = anAbsence();

    pass(500);
    expect(absence.wasLately()).toBe(true);
    pass(400);
    expect(absence.wasLately()).toBe(true);
    for (let tick = 0; tick < 4; tick++) {
      pass(400);
      absence.wasLately();
    }
    expect(absence.wasLately()).toBe(false);
  });

  it('is seen by its own timer', () => {
    jest.useFakeTimers({ now: 0 });
    try {
      const absence = new Absence(500, 2_000, () => performance.now());
      absence.start();
      jest.advanceTimersByTime(1_000);
      expect(absence.wasLately()).toBe(false);
      absence.stop();
      jest.advanceTimersByTime(600);

      expect(absence.wasLately()).toBe(true);
    } finally {
      jest.useRealTimers();
    }
  });
});
