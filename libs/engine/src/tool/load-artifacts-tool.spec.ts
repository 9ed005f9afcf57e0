import { type Content, type Part } from '@skein/contracts';
import { aSession, calls, FakeLlm, runTurn, text } from '@skein/testing';
import { LlmAgent } from '../agent/llm-agent';
import { InMemoryArtifactService } from '../artifact/in-memory-artifact-service';
import { getFunctionResponses } from '../event/function-parts';
import { LOAD_ARTIFACTS } from './load-artifacts-tool';

const base64 = (value: string): string => Buffer.from(value).toString('base64');
const blob = (mimeType: string, value: string): Part => ({ inlineData: { mimeType, data: base64(value) } });

async function play(artifacts: Readonly<Record<string, Part>>, args: Record<string, unknown>) {
  const artifactService = new InMemoryArtifactService();
  const { appName, userId, id: sessionId } = aSession();
  for (const [filename, artifact] of Object.entries(artifacts)) {
    await artifactService.saveArtifact({ appName, userId, sessionId, filename, artifact });
  }
  const model = new FakeLlm([
    [calls({ id: 'c1', name: 'load_artifacts', args })],
    [calls({ id: 'c2', name: 'load_artifacts', args: {} })],
    [text('done')],
  ]);
  const turn = await runTurn(new LlmAgent({ name: 'root', model, tools: [LOAD_ARTIFACTS] }), {
    artifactService,
  });
  const shown = (request: number): readonly Content[] =>
    (model.requests[request]?.contents ?? []).filter(({ parts }) =>
      parts?.[0]?.text?.startsWith('Artifact '),
    );
  return { turn, model, shown };
}

describe('load_artifacts', () => {
  it('tells the model which artifacts there are, and nothing when there are none', async () => {
    const some = await play({ 'a.txt': { text: 'A' }, 'user:b.txt': { text: 'B' } }, {});
    const none = await play({}, {});

    expect(some.model.requests[0]?.config.systemInstruction).toContain('["a.txt","user:b.txt"]');
    expect(none.model.requests[0]?.config.systemInstruction).not.toContain('artifacts');
  });

  it('answers the names, and shows the contents in the next request only', async () => {
    const { turn, shown } = await play({ 'a.txt': { text: 'A' } }, { artifact_names: ['a.txt'] });

    expect(turn.events.flatMap(getFunctionResponses)[0]?.response).toMatchObject({
      artifact_names: ['a.txt'],
    });
    expect([shown(0), shown(1), shown(2)]).toEqual([
      [],
      [{ role: 'user', parts: [{ text: 'Artifact a.txt is:' }, { text: 'A' }] }],
      [],
    ]);
    expect(JSON.stringify(turn.session.events)).not.toContain('Artifact a.txt is:');
  });

  it('finds an artifact of the user without its prefix too', async () => {
    const { shown } = await play({ 'user:b.txt': { text: 'B' } }, { artifactNames: ['b.txt'] });

    expect(shown(1)).toMatchObject([{ parts: [{ text: 'Artifact user:b.txt is:' }, { text: 'B' }] }]);
  });

  it('passes by names that no artifact has, or could have', async () => {
    const { turn, shown } = await play(
      { 'a.txt': { text: 'A' } },
      { artifact_names: ['gone', '../../x', 7, 'a.txt'] },
    );

    expect(shown(1)).toHaveLength(1);
    expect(turn.error).toBeUndefined();
  });

  it.each<[string, Part, Part]>([
    ['an image as it is', blob('image/png', 'x'), blob('image/png', 'x')],
    ['text as text', blob('text/csv; charset=utf-8', 'a;b'), { text: 'a;b' }],
    ['an SVG as text', blob('image/svg+xml', '<svg/>'), { text: '<svg/>' }],
    [
      'of other bytes that they are there',
      blob('application/zip', 'PK'),
      { text: '[Artifact f: application/zip, 0.0 KB. It cannot be shown.]' },
    ],
  ])('shows %s', async (_what, artifact, part) => {
    const { shown } = await play({ f: artifact }, { artifact_names: ['f'] });

    expect(shown(1)[0]?.parts?.[1]).toEqual(part);
  });
});
