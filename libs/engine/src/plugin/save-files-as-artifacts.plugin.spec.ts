import { type Part } from '@skein/contracts';
import { FakeLlm, INVOCATION_ID, runTurn, text } from '@skein/testing';
import { LlmAgent } from '../agent/llm-agent';
import { InMemoryArtifactService } from '../artifact/in-memory-artifact-service';
import { SaveFilesAsArtifactsPlugin } from './save-files-as-artifacts.plugin';

const KEY = { appName: 'app', userId: 'u', sessionId: 's' };
const file = (displayName?: string): Part => ({
  inlineData: { mimeType: 'text/plain', data: 'aGk=', ...(displayName === undefined ? {} : { displayName }) },
});

async function send(...parts: Part[]) {
  const artifactService = new InMemoryArtifactService();
  const model = new FakeLlm([[text('done')]]);
  const app = {
    rootAgent: new LlmAgent({ name: 'root', model }),
    plugins: [new SaveFilesAsArtifactsPlugin()],
  };
  const turn = await runTurn(app, { said: { role: 'user', parts }, artifactService });
  return { artifactService, model, event: turn.journal.staged[0]?.event, error: turn.error };
}

describe('SaveFilesAsArtifactsPlugin', () => {
  it('keeps each file under its name and leaves a placeholder in its place', async () => {
    const { artifactService, model, event } = await send({ text: 'Look:' }, file('a.txt'), file());

    const generated = `artifact_${INVOCATION_ID}_2`;
    const parts = [
      { text: 'Look:' },
      { text: '[Uploaded Artifact: "a.txt"]' },
      { text: `[Uploaded Artifact: "${generated}"]` },
    ];
    expect(event?.content).toEqual({ role: 'user', parts });
    expect(event?.actions.artifactDelta).toEqual({ 'a.txt': 0, [generated]: 0 });
    expect(model.requests[0]?.contents).toEqual([{ role: 'user', parts }]);
    expect(await artifactService.loadArtifact({ ...KEY, filename: 'a.txt' })).toEqual(file('a.txt'));
  });

  it('keeps a file of the user for all of his sessions', async () => {
    const { artifactService } = await send(file('user:cv.txt'));

    expect(await artifactService.listArtifactKeys({ ...KEY, sessionId: 'other' })).toEqual(['user:cv.txt']);
  });

  it('leaves a file in the message that cannot be saved', async () => {
    const { event, error } = await send(file('../etc/passwd'), file('b.txt'));

    expect(error).toBeUndefined();
    expect(event?.content?.parts).toEqual([file('../etc/passwd'), { text: '[Uploaded Artifact: "b.txt"]' }]);
    expect(event?.actions.artifactDelta).toEqual({ 'b.txt': 0 });
  });

  it('changes nothing about a message without files', async () => {
    const { event } = await send({ text: 'hi' });

    expect(event?.content).toEqual({ role: 'user', parts: [{ text: 'hi' }] });
  });
});
