import { silentLogger } from '@skein/platform';
import { MemoryPressure } from './memory-pressure';

const MIB = 2 ** 20;

function aPressure(usedMib: number, limitMib: number) {
  const held = { mib: usedMib };
  const pressure = new MemoryPressure({
    limitBytes: limitMib * MIB,
    logger: silentLogger,
    readBytes: () => held.mib * MIB,
  });
  pressure.look();
  return { pressure, held };
}

describe('row 46: the calls a worker takes', () => {
  it.each([
    [10, 16],
    [70, 16],
    [75, 11],
    [80, 7],
    [89, 1],
    [100, 1],
    [150, 1],
  ])('at %i%% of its memory are up to %i of 16', (used, allowed) => {
    expect(aPressure(used, 100).pressure.allowed(16)).toBe(allowed);
  });

  it('are as many as before once there is memory again', () => {
    const { pressure, held } = aPressure(85, 100);
    expect(pressure.allowed(16)).toBe(4);

    held.mib = 30;
    pressure.look();

    expect(pressure.allowed(16)).toBe(16);
  });

  it('are never none, so that a worker of one call at a time goes on', () => {
    expect(aPressure(99, 100).pressure.allowed(1)).toBe(1);
  });
});
