import { FalseClaims } from './false-claims';

const CALL = `d-${'1'.repeat(32)}`;

describe('row 35: a worker that never lets go of a call', () => {
  let nowMs = 0;
  let offences: string[];
  let claims: FalseClaims;
  beforeEach(() => {
    nowMs = 0;
    offences = [];
    claims = new FalseClaims(
      { offended: (worker, offence) => void offences.push(`${worker} ${offence}`) },
      () => nowMs,
    );
    claims.ended(CALL);
  });

  const claim = (dispatchId = CALL): void => claims.heard({ worker: 'w1', running: [dispatchId] });

  it('is told once when it claims to run the call ten seconds after that was ended', () => {
    nowMs = 10_001;
    claim();
    claim();

    expect(offences).toEqual(['w1 overdue']);
  });

  it('has the time to notice that by itself', () => {
    nowMs = 10_000;
    claim();

    expect(offences).toEqual([]);
  });

  it('is not taken for one that runs other calls, or the same later because somebody sent it again', () => {
    nowMs = 30_001;
    claim(`d-${'2'.repeat(32)}`);
    claim();

    expect(offences).toEqual([]);
  });
});
