import { cameFrom, originOf, ownParts, withoutOrigin } from './part-origin';

const ours = cameFrom({ provider: 'anthropic' });

describe('where a part came from', () => {
  it('is told by its mark, and without one its signature is of Gemini', () => {
    expect(originOf({ thoughtSignature: 'c2ln', ...ours })).toEqual({ provider: 'anthropic' });
    expect(originOf({ text: 'a', thoughtSignature: 'c2ln' })).toEqual({ provider: 'gemini' });
    expect(originOf({ text: 'a', thought: true, partMetadata: null })).toBeUndefined();
  });

  it("decides about thoughts and signatures alone: what was said is everybody's", () => {
    const thought = { text: 'Hm.', thought: true, thoughtSignature: 'c2ln', ...ours };
    const call = { functionCall: { name: 'f' } };
    const parts = [thought, { ...call, thoughtSignature: 'c2ln' }, { text: 'Hi.' }];

    expect(ownParts(parts, 'anthropic')).toEqual([thought, call, { text: 'Hi.' }]);
    expect(ownParts(parts, 'gemini')).toEqual(parts.slice(1));
    expect(ownParts(parts, 'openai')).toEqual([call, { text: 'Hi.' }]);
  });

  it("is nothing that a provider is told, beside what an author's metadata says", () => {
    const partMetadata = { page: 3 };

    expect(withoutOrigin({ text: 'a', ...ours })).toEqual({ text: 'a' });
    expect(withoutOrigin({ text: 'a', partMetadata })).toEqual({ text: 'a', partMetadata });
    expect(withoutOrigin({ text: 'a', partMetadata: { ...(ours.partMetadata as object), page: 3 } })).toEqual(
      {
        text: 'a',
        partMetadata,
      },
    );
  });
});
