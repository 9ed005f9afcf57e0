import { BaseLlm, LlmAgent, type LlmRequest, type LlmResponse } from '@skein/engine';
import { collect, partial, runTurn, saying, text } from '@skein/testing';
import { type LlmRouter, RoutedLlm } from './routed-llm.model';

/** Says its answers, throws its errors, and notes what it was asked. */
class Named extends BaseLlm {
  readonly requests: LlmRequest[] = [];

  constructor(
    model: string,
    private readonly says: (LlmResponse | Error)[],
  ) {
    super({ model });
  }

  override async *generateContentAsync(request: LlmRequest): AsyncGenerator<LlmResponse, void> {
    this.requests.push(request);
    for (const one of this.says) {
      if (one instanceof Error) throw one;
      yield one;
    }
  }
}

/** The first that did not fail. */
const inOrder: LlmRouter = (
  models,
  _request,
  { failedKeys } = { failedKeys: new Set(), lastError: undefined },
) => Object.keys(models).find((key) => !failedKeys.has(key));

const away = new Error('away');

describe('RoutedLlm', () => {
  it('is named after its models, unless it is given a name', () => {
    const models = { fast: new Named('m-1', []), good: new Named('m-2', []) };

    expect(new RoutedLlm({ models, router: inOrder }).model).toBe('RoutedLlm[fast (m-1), good (m-2)]');
    expect(new RoutedLlm({ models, router: inOrder, modelName: 'both' }).model).toBe('both');
  });

  it('asks the model that the router chose, under its own name', async () => {
    const [fast, good] = [new Named('m-1', [text('1')]), new Named('m-2', [text('2')])];
    const llm = new RoutedLlm({ models: { fast, good }, router: async () => 'good' });

    expect(await collect(llm.generateContentAsync({ ...saying('hi'), model: llm.model }))).toEqual([
      text('2'),
    ]);
    expect(good.requests.map(({ model }) => model)).toEqual(['m-2']);
    expect(fast.requests).toEqual([]);
  });

  it('falls to the next model when one fails, and tells the router of it', async () => {
    const models = [new Named('m-1', [away]), new Named('m-2', [away]), new Named('m-3', [text('3')])];
    const router = jest.fn(inOrder);
    const llm = new RoutedLlm({ models, router });

    expect(await collect(llm.generateContentAsync(saying('hi')))).toEqual([text('3')]);
    expect(router).toHaveBeenCalledTimes(3);
    expect(router.mock.calls[1]?.[2]?.lastError).toBe(away);
  });

  it('does not fall once anything was shown', async () => {
    const second = new Named('m-2', [text('2')]);
    const models = [new Named('m-1', [partial(text('1')), away]), second];

    await expect(
      collect(new RoutedLlm({ models, router: inOrder }).generateContentAsync(saying('hi'))),
    ).rejects.toBe(away);
    expect(second.requests).toEqual([]);
  });

  it.each([
    ['names none', () => undefined],
    ['names one that failed', () => 'm-1'],
  ])('throws what the last model threw when the router %s', async (_how, next) => {
    const models = [new Named('m-1', [away]), new Named('m-2', [text('2')])];
    const router: LlmRouter = (_models, _request, failed) => (failed ? next() : 'm-1');

    await expect(collect(new RoutedLlm({ models, router }).generateContentAsync(saying('hi')))).rejects.toBe(
      away,
    );
  });

  it.each([undefined, '', 'm-9', 'constructor'])('says so when the router chose "%s"', async (key) => {
    const llm = new RoutedLlm({ models: [new Named('m-1', [])], router: () => key });

    await expect(collect(llm.generateContentAsync(saying('hi')))).rejects.toMatchObject({
      code: 'model.no-route',
    });
  });

  it('does not guess between two models of one name', () => {
    const models = [new Named('m-1', []), new Named('m-1', [])];

    expect(() => new RoutedLlm({ models, router: inOrder })).toThrow('Two models are named "m-1"');
  });

  it('tries no other model for a run that was cancelled', async () => {
    const controller = new AbortController();
    const second = new Named('m-2', [text('2')]);
    const router: LlmRouter = (models, request, failed) => inOrder(models, request, failed);
    const llm = new RoutedLlm({ models: [new Named('m-1', [away]), second], router });
    controller.abort(new Error('cancelled'));

    await expect(collect(llm.generateContentAsync(saying('hi'), false, controller.signal))).rejects.toThrow(
      'cancelled',
    );
    expect(second.requests).toEqual([]);
  });

  it('is not asked again for what is stored, whichever model the route would take now', async () => {
    const first = new Named('m-1', [text('one')]);
    const agentOf = (model: BaseLlm) => new LlmAgent({ name: 'root', model });
    const whole = await runTurn(agentOf(new RoutedLlm({ models: [first], router: inOrder, modelName: 'r' })));
    const other = new Named('m-2', [text('two')]);
    const router = jest.fn(inOrder);
    const route = new RoutedLlm({ models: [other], router, modelName: 'r' });

    const resumed = await runTurn(agentOf(route), {
      journal: whole.journal.cutAfterUnits(whole.journal.units.length),
    });

    expect(resumed.session.events.map(({ id }) => id)).toEqual(whole.session.events.map(({ id }) => id));
    expect(router).not.toHaveBeenCalled();
  });
});
