import { toolConfirmationSchema } from './tool-confirmation';

describe('a tool confirmation (B66)', () => {
  it('holds hint, decision and payload (B66)', () => {
    const confirmation = { hint: 'Sure?', confirmed: true, payload: { days: 3 } };

    expect(toolConfirmationSchema.parse(confirmation)).toEqual(confirmation);
    expect(toolConfirmationSchema.parse({ hint: '', confirmed: false })).toEqual({
      hint: '',
      confirmed: false,
    });
  });

  it('holds nothing else (B66)', () => {
    expect(toolConfirmationSchema.safeParse({ hint: '', confirmed: true, approvedBy: 'ada' }).success).toBe(
      false,
    );
    expect(toolConfirmationSchema.safeParse({ hint: '' }).success).toBe(false);
  });
});
