import { FakeLlm, runTurn, text } from '@skein/testing';
import { LlmAgent } from '../agent/llm-agent';
import { type Instruction } from '../agent/llm-agent-config';
import { SequentialAgent } from '../agent/sequential-agent';
import { GlobalInstructionPlugin } from './global-instruction.plugin';

async function runWith(globalInstruction?: Instruction) {
  const models = [new FakeLlm([[text('1')]]), new FakeLlm([[text('2')]])];
  const subAgents = models.map(
    (model, index) => new LlmAgent({ name: `a${index}`, model, instruction: `Own ${index}.` }),
  );
  const rootAgent = new SequentialAgent({ name: 'root', subAgents });
  const turn = await runTurn(
    { rootAgent, plugins: [new GlobalInstructionPlugin(globalInstruction)] },
    { stateDelta: { mood: 'good' } },
  );
  const instructions = models.map(({ requests }) => requests[0]?.config.systemInstruction);
  return { ...turn, instructions };
}

describe('GlobalInstructionPlugin', () => {
  it('opens the system instruction of every agent, its variables filled (B59)', async () => {
    const { instructions } = await runWith('Be in a {mood} mood.');
    const [one, two] = instructions;

    expect(one).toMatch(/^Be in a good mood\.\n\nOwn 0\.\n\n/);
    expect(two).toMatch(/^Be in a good mood\.\n\nOwn 1\.\n\n/);
  });

  it('takes what a provider answers as it is (B59)', async () => {
    const { instructions } = await runWith(({ agentName }) => `{mood} of ${agentName}`);

    expect(instructions[0]).toMatch(/^\{mood\} of a0\n\nOwn 0\./);
  });

  it('adds nothing when it has nothing to say', async () => {
    expect((await runWith()).instructions).toEqual([
      expect.stringMatching(/^Own 0\./),
      expect.stringMatching(/^Own 1\./),
    ]);
  });

  it('fails the run for a variable that is nowhere (B53, B59)', async () => {
    const { error } = await runWith('{nowhere}');

    expect(error).toMatchObject({
      message: expect.stringContaining('Context variable not found: `nowhere`.'),
    });
  });
});
