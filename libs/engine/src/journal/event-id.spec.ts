import { eventIdOf } from './event-id';

const INVOCATION = 'e-01a21865-fbbb-76cd-a634-4c19ce22c1fd';
/** Made in the same millisecond. */
const TWIN = 'e-01a21865-fbbb-7000-8000-000000000000';
const LATER = 'e-01a21865-fbbc-7000-8000-000000000000';

describe('the id of an event', () => {
  it('is a UUIDv8 that begins with when its invocation was made', () => {
    expect(eventIdOf(INVOCATION, '0/root.0/model.0')).toMatch(
      /^01a21865-fbbb-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  it('is the same whenever the step is run, and that of no other step', () => {
    const ids = [INVOCATION, TWIN].flatMap((invocation) =>
      ['0/root.0/model.0', '0/root.0/tools.0', '1/root.0/model.0'].map((key) => eventIdOf(invocation, key)),
    );

    expect(new Set(ids).size).toBe(6);
    expect(eventIdOf(INVOCATION, '0/root.0/model.0')).toBe(ids[0]);
  });

  it('comes behind those of all earlier milliseconds', () => {
    const ids = [TWIN, LATER].map((invocation) => eventIdOf(invocation, '0/root.0/model.0'));

    expect([...ids].sort()).toEqual(ids);
  });

  it('is a UUID also where the invocation was named by somebody else', () => {
    expect(eventIdOf('e-7', '0/user.0')).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });
});
