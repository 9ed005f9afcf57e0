import { getFunctionResponses } from '@skein/adk';
import { agentMatchers, AgentSession, calls, runAgent, says, scripted, together } from '@skein/adk/testing';
import { diceAgent, rootAgent } from './agent';

expect.extend(agentMatchers);

afterEach(() => jest.restoreAllMocks());

describe('the dice agent', () => {
  it('rolls, tells the model what came of it, and keeps it', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    const model = scripted([calls('roll_die', { sides: 6 }), says('It is a four.')]);

    const run = await runAgent(diceAgent(model), 'roll a die');

    expect(run).toHaveToolResponse('roll_die', { result: 4 });
    expect(run).toHaveStateDelta({ last_roll: 4 });
    expect(run).toHaveFinalText('It is a four.');
    expect(model.lastRequest.contents.at(-1)?.parts).toMatchObject([
      { functionResponse: { name: 'roll_die', response: { result: 4 } } },
    ]);
  });

  it('tells the model of the roll before', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0);
    const model = scripted([calls('roll_die', { sides: 6 }), says('One.'), says('It was a one.')]);
    const session = new AgentSession(diceAgent(model), { state: { last_roll: 6 } });

    await session.say('roll a die');
    await session.say('what was it?');

    expect(model.lastRequest.config.systemInstruction).toContain('The last one: 1');
  });

  it('runs no die that cannot be', async () => {
    const model = scripted([calls('roll_die', { sides: 1 }), says('No such die.')]);

    const run = await runAgent(diceAgent(model), 'roll a die with one side');

    expect(run).toHaveToolResponse('roll_die', { error: expect.stringContaining('sides') });
    expect(run).not.toHaveStateDelta({ last_roll: expect.anything() });
  });

  it('rolls several dice in one turn', async () => {
    const model = scripted([
      together(calls('roll_die', { sides: 6 }), calls('roll_die', { sides: 20 })),
      says('Done.'),
    ]);

    const run = await runAgent(diceAgent(model), 'roll two');

    expect(run.events.flatMap(getFunctionResponses)).toHaveLength(2);
    expect(model.requests).toHaveLength(2);
  });

  it('answers without a key from its script', async () => {
    expect(await runAgent(rootAgent, 'roll 2 dice with 4 sides')).toHaveFinalText(
      /^You rolled [1-4] and [1-4]\.$/,
    );
  });
});
