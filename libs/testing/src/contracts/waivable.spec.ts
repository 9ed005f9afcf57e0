import { runUnlessWaived } from './waivable';

describe('a case of a contract', () => {
  const passes = async (): Promise<void> => undefined;
  const fails = async (): Promise<void> => {
    throw new Error('it is not so');
  };

  it('passes or fails as it does, when it is not waived', async () => {
    await expect(runUnlessWaived(undefined, passes)).resolves.toBeUndefined();
    await expect(runUnlessWaived(undefined, fails)).rejects.toThrow('it is not so');
  });

  it('has to fail when it is waived', async () => {
    await expect(runUnlessWaived('it cannot', fails)).resolves.toBeUndefined();
    await expect(runUnlessWaived('it cannot', passes)).rejects.toThrow('The waiver said: it cannot');
  });
});
