import { channel } from 'node:diagnostics_channel';
import { AdkError } from '@skein/contracts';
import { type Operation } from '@skein/engine';
import { Metrics } from '@skein/platform';
import { ActiveRuns } from './active-runs';
import { measureRuns } from './runner-metrics';

describe('the figures of a runner', () => {
  let metrics: Metrics;
  let end: () => void;
  beforeEach(() => {
    metrics = new Metrics();
    end = measureRuns(metrics, new ActiveRuns(3));
  });
  afterEach(() => end());

  async function samples(): Promise<string[]> {
    return (await metrics.render()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  }

  function happens(
    kind: string,
    operation: Operation,
    ending = operation.error ? 'exception' : 'stop',
  ): void {
    channel(`skein:${kind}:start`).publish(operation);
    channel(`skein:${kind}:${ending}`).publish(operation);
  }

  it("counts a model's calls by how they ended, and the tokens it told of", async () => {
    const of = (rest: Partial<Operation>): Operation => ({
      name: 'model',
      attributes: { 'gen_ai.request.model': 'fake' },
      ...rest,
    });
    const usageMetadata = { promptTokenCount: 7, candidatesTokenCount: 3, thoughtsTokenCount: 2 };

    happens('model', of({ answer: { usageMetadata } }));
    happens('model', of({ answer: { errorCode: 'SAFETY' } }));
    happens('model', of({ error: new AdkError('unavailable', 'model.overloaded', 'busy') }));
    happens('model', of({ error: new Error('a bug') }));

    expect(await samples()).toEqual(
      expect.arrayContaining([
        'skein_model_calls_total{model="fake",outcome="ok"} 1',
        'skein_model_calls_total{model="fake",outcome="refused"} 1',
        'skein_model_calls_total{model="fake",outcome="unavailable"} 1',
        'skein_model_calls_total{model="fake",outcome="internal"} 1',
        'skein_model_call_duration_seconds_count{model="fake"} 4',
        'skein_model_tokens_total{model="fake",direction="input"} 7',
        'skein_model_tokens_total{model="fake",direction="output"} 5',
      ]),
    );
  });

  it("counts tools' answers by tool, and tells how full the runner is", async () => {
    happens('tool', { name: 'execute_tool add', attributes: { 'gen_ai.tool.name': 'add' } });

    expect(await samples()).toEqual(
      expect.arrayContaining([
        'skein_tool_answer_duration_seconds_count{tool="add",outcome="ok"} 1',
        'skein_runs_active 0',
        'skein_runs_credit 3',
      ]),
    );
  });

  it('hears nothing more once it is ended', async () => {
    end();
    happens('tool', { name: 'execute_tool add', attributes: { 'gen_ai.tool.name': 'add' } });

    expect((await samples()).join()).not.toContain('tool="add"');
  });
});
