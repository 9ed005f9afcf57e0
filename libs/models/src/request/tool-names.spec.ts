import { ToolNames } from './tool-names';

describe('ToolNames', () => {
  it('leaves alone what a provider takes', () => {
    const names = new ToolNames(['get_weather', 'a-b'], 64);

    expect(['get_weather', 'a-b'].map((name) => names.sent(name))).toEqual(['get_weather', 'a-b']);
    expect(names.meant('get_weather')).toBe('get_weather');
  });

  it('gives any other name one that is like it, and knows which was meant', () => {
    const declared = ['files.read', 'files:read', 'files_read', 'x'.repeat(70)];
    const names = new ToolNames(declared, 64);
    const sent = declared.map((name) => names.sent(name));

    expect(sent).toEqual(['files_read_2', 'files_read_3', 'files_read', 'x'.repeat(64)]);
    expect(sent.map((name) => names.meant(name))).toEqual(declared);
  });

  it('takes a name that a model made up, which may be that of a stand-in', () => {
    const names = new ToolNames(['a.b'], 64);

    expect(names.sent('a_b')).toBe('a_b_2');
    expect(names.sent('')).toBe('_');
    expect(names.meant('never_heard_of')).toBe('never_heard_of');
  });
});
