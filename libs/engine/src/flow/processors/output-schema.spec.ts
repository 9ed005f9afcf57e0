import { calls, FakeLlm, runTurn, text } from '@skein/testing';
import { z } from 'zod';
import { LlmAgent } from '../../agent/llm-agent';
import { type LlmAgentConfig } from '../../agent/llm-agent-config';
import { getFunctionResponses } from '../../event/function-parts';
import { type ParametersSchema } from '../../tool/function-declaration';
import { FunctionTool } from '../../tool/function-tool';

const city = z.object({ name: z.string(), size: z.number() });
const look = new FunctionTool({ name: 'look', description: '', execute: () => 'seen' });

const answering = (args: Record<string, unknown>, id = 'c1') => [
  calls({ id, name: 'set_model_response', args }),
];

async function play(
  answers: ConstructorParameters<typeof FakeLlm>[0],
  outputSchema: ParametersSchema = city,
  config: Partial<LlmAgentConfig> = {},
) {
  const model = new FakeLlm(answers);
  const agent = new LlmAgent({ name: 'root', model, outputSchema, tools: [look], ...config });
  return { agent, model, turn: await runTurn(agent) };
}

describe('an agent with an output schema and tools', () => {
  it('asks for the shape by a tool and an instruction, not of the provider (B38)', async () => {
    const { model } = await play([[text('so')]]);

    const { config } = model.requests[0] ?? {};
    expect(config?.responseJsonSchema).toBeUndefined();
    expect(config?.responseMimeType).toBeUndefined();
    expect(config?.systemInstruction).toContain('set_model_response');
    expect(config?.tools?.[0]?.functionDeclarations).toMatchObject([
      { name: 'set_model_response', parametersJsonSchema: { type: 'object', required: ['name', 'size'] } },
      { name: 'look' },
    ]);
  });

  it("ends with the answer as text, after the tool's response, and the model is not asked again (B20, B38)", async () => {
    const { turn, model } = await play([answering({ name: 'Bern', size: 134 })], city, { outputKey: 'city' });

    expect(turn.events).toMatchObject([
      { content: { parts: [{ functionCall: { name: 'set_model_response' } }] } },
      { content: { parts: [{ functionResponse: { response: { name: 'Bern', size: 134 } } }] } },
      { author: 'root', content: { role: 'model', parts: [{ text: '{"name":"Bern","size":134}' }] } },
    ]);
    expect(turn.session.state).toEqual({ city: { name: 'Bern', size: 134 } });
    expect(model.requests).toHaveLength(1);
  });

  it('may call its other tools before (B38)', async () => {
    const { turn } = await play([
      [calls({ id: 'c0', name: 'look' })],
      answering({ name: 'Bern', size: 134 }),
    ]);

    expect(turn.events.at(-1)?.content?.parts).toEqual([{ text: '{"name":"Bern","size":134}' }]);
  });

  it('lets the model read that its answer has another shape, and answer again (B38)', async () => {
    const { turn } = await play([answering({ name: 'Bern' }), answering({ name: 'Bern', size: 134 }, 'c2')]);

    expect(turn.events.flatMap(getFunctionResponses)).toMatchObject([
      { id: 'c1', response: { error: expect.stringContaining('size') } },
      { id: 'c2', response: { name: 'Bern' } },
    ]);
    expect(turn.events.at(-1)?.content?.parts).toEqual([{ text: '{"name":"Bern","size":134}' }]);
  });

  it('checks the fields a JSON Schema needs too (B38)', async () => {
    const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

    const { turn } = await play([answering({}), answering({ name: 'Bern' }, 'c2')], schema);

    expect(turn.events.flatMap(getFunctionResponses)).toMatchObject([
      { response: { error: expect.stringContaining('name') } },
      { response: { name: 'Bern' } },
    ]);
  });

  it.each<[string, z.ZodType, Record<string, unknown>, string]>([
    ['a field called error', z.object({ error: z.string() }), { error: 'none' }, '{"error":"none"}'],
    ['one field called result', z.object({ result: z.number() }), { result: 5 }, '{"result":5}'],
    [
      'a transformation into something else than an object',
      z.object({ n: z.number() }).transform(({ n }) => n * 2),
      { n: 21 },
      '42',
    ],
  ])('knows an answer by its schema when that has %s (B38)', async (_what, schema, args, answer) => {
    const { turn } = await play([answering(args)], schema);

    expect(turn.events.at(-1)?.content?.parts).toEqual([{ text: answer }]);
  });

  it('is not asked again when a crash comes between the response and the answer (B38)', async () => {
    const { agent, model, turn } = await play([answering({ name: 'Bern', size: 134 })]);

    const again = await runTurn(agent, { journal: turn.journal.cutAfter(3) });

    expect(again.events).toEqual(turn.events);
    expect(model.requests).toHaveLength(1);
  });
});

it('an agent with an output schema and no tools asks the provider for the shape (B38)', async () => {
  const { model } = await play([[text('{"name":"Bern","size":134}')]], city, { tools: [] });

  const { config, toolsDict } = model.requests[0] ?? {};
  expect(config).toMatchObject({
    responseMimeType: 'application/json',
    responseJsonSchema: { type: 'object' },
  });
  expect(toolsDict).toEqual({});
});
