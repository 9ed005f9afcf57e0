import { FakeLlm, INVOCATION_ID, runTurn, text, type TurnOptions } from '@skein/testing';
import { LlmAgent } from '../agent/llm-agent';
import { InMemoryArtifactService } from '../artifact/in-memory-artifact-service';

const named = { inlineData: { mimeType: 'text/plain', data: 'aGk=', displayName: 'a.txt' } };
const nameless = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
const said = { role: 'user', parts: [{ text: 'Look at these.' }, named, nameless] };

async function play(runConfig: TurnOptions['runConfig']) {
  const model = new FakeLlm([[text('seen')]]);
  const artifactService = new InMemoryArtifactService();
  const agent = new LlmAgent({ name: 'root', model });
  const { journal } = await runTurn(agent, { said, runConfig, artifactService });
  const key = { appName: 'app', userId: 'u', sessionId: 's' };
  return { model, artifactService, key, userEvent: journal.staged[0]?.event };
}

describe('the files of a message', () => {
  it('become artifacts, and the model is told their names, when saveInputBlobsAsArtifacts says so', async () => {
    const { model, artifactService, key, userEvent } = await play({ saveInputBlobsAsArtifacts: true });

    const made = `artifact_${INVOCATION_ID}_2`;
    expect(await artifactService.listArtifactKeys(key)).toEqual(['a.txt', made]);
    expect(await artifactService.loadArtifact({ ...key, filename: 'a.txt' })).toMatchObject(named);
    expect(userEvent?.actions.artifactDelta).toEqual({ 'a.txt': 0, [made]: 0 });
    expect(model.requests[0]?.contents).toEqual([
      {
        role: 'user',
        parts: [
          { text: 'Look at these.' },
          { text: 'Uploaded file: a.txt. It is saved into artifacts' },
          { text: `Uploaded file: ${made}. It is saved into artifacts` },
        ],
      },
    ]);
  });

  it('stay in the message otherwise', async () => {
    const { model, artifactService, key } = await play({});

    expect(await artifactService.listArtifactKeys(key)).toEqual([]);
    expect(model.requests[0]?.contents).toEqual([said]);
  });
});
