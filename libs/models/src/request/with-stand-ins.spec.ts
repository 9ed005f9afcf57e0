import { AdkError, type Content, type Part } from '@skein/contracts';
import { CONTEXT_HEADER } from '@skein/engine';
import { withStandIns } from './with-stand-ins';

const audio: Part = { inlineData: { mimeType: 'audio/wav', data: 'QUJD', displayName: 'memo.wav' } };
const image: Part = { inlineData: { mimeType: 'image/png', data: 'QUJD' } };
const user = (...parts: Part[]): Content => ({ role: 'user', parts });
const model = (...parts: Part[]): Content => ({ role: 'model', parts });
const STAND_IN = { text: '[Not shown to this model: audio/wav "memo.wav"]' };

function assertTaken({ inlineData, fileData, videoMetadata }: Part): void {
  if (inlineData?.mimeType === 'audio/wav' || fileData || videoMetadata) {
    throw new AdkError('invalid', 'model.unsupported-part', 'No.');
  }
}

describe('withStandIns', () => {
  it('says in older turns what was there, and leaves the newest to whoever refuses it', () => {
    const contents = [user({ text: 'a' }, audio, image), model(audio), user(audio)];
    const before = structuredClone(contents);

    expect(withStandIns(contents, assertTaken)).toEqual([
      user({ text: 'a' }, STAND_IN, image),
      model(STAND_IN),
      user(audio),
    ]);
    expect(contents).toEqual(before);
  });

  it('takes for the newest what the user himself said last: a part that was refused before holds nothing back', () => {
    const contents = [model({ text: 'Well.' }), user(audio), user({ text: 'Never mind.' }), user()];

    expect(withStandIns(contents, assertTaken)).toEqual([
      model({ text: 'Well.' }),
      user(STAND_IN),
      user({ text: 'Never mind.' }),
      user(),
    ]);
  });

  it('takes what is told of other agents for no words of the user', () => {
    const context = user({ text: CONTEXT_HEADER }, audio);

    expect(withStandIns([user(audio), context], assertTaken)).toEqual([
      user(audio),
      user({ text: CONTEXT_HEADER }, STAND_IN),
    ]);
  });

  it.each([
    ['spoke', model({ text: 'Well.' })],
    ['called a tool that answered', user({ functionResponse: { id: 'c', name: 'f' } })],
  ])('refuses nothing once the model %s', (_what, last) => {
    expect(withStandIns([user(audio), last], assertTaken)).toEqual([user(STAND_IN), last]);
  });

  it('stands in for what a tool made, in the newest turn too: the user cannot help it', () => {
    const response = { id: 'c', name: 'f', response: { ok: true } };

    expect(
      withStandIns([user({ functionResponse: { ...response, parts: [audio, image] } })], assertTaken),
    ).toEqual([user({ functionResponse: { ...response, parts: [STAND_IN, image] } })]);
  });

  it.each<[Part, string]>([
    [{ fileData: { fileUri: 'gs://a/b', mimeType: 'video/mp4' } }, 'video/mp4'],
    [{ fileData: { fileUri: 'gs://a/b' } }, 'a file'],
    [{ videoMetadata: { fps: 1 } }, 'videoMetadata'],
  ])('names what it stands for: %j', (part, named) => {
    const [content] = withStandIns([user(part), model({ text: 'Well.' })], assertTaken);

    expect(content?.parts).toEqual([{ text: `[Not shown to this model: ${named}]` }]);
  });

  it('does not hide a failure of another kind', () => {
    const fail = (): void => {
      throw new Error('A bug.');
    };

    expect(() => withStandIns([user(audio), model()], fail)).toThrow('A bug.');
  });
});
