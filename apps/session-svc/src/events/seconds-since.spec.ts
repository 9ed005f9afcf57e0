import { v7 } from 'uuid';
import { secondsSince } from './seconds-since';

describe('secondsSince', () => {
  it('reads when an invocation was submitted from its id', () => {
    const seconds = secondsSince(`e-${v7({ msecs: Date.now() - 90_000 })}`);

    expect(seconds).toBeGreaterThanOrEqual(90);
    expect(seconds).toBeLessThan(95);
  });

  it('is never below zero, whatever the clock of who minted it', () => {
    expect(secondsSince(`e-${v7({ msecs: Date.now() + 90_000 })}`)).toBe(0);
  });

  it('says nothing of an id of another make', () => {
    expect(secondsSince('e-6b1f1f0a-0000-4000-8000-000000000000')).toBeUndefined();
  });
});
