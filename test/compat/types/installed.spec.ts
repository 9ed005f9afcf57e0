import { version } from '@google/adk';

describe('the @google/adk that is installed', () => {
  it('is the one that Skein says it is compatible with', () => {
    expect(version).toBe('2.0.0');
  });
});
