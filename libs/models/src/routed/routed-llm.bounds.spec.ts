import { BaseLlm, LlmAgent, type LlmRequest, type LlmResponse } from '@skein/engine';
import { collect, runTurn, saying, text } from '@skein/testing';
import { type LlmRouter, RoutedLlm, type RoutedLlmParams, type RoutedModels } from './routed-llm.model';

class Saying extends BaseLlm {
  constructor(private readonly said: string | Error) {
    super({ model: 'a-model' });
  }

  override async *generateContentAsync(): AsyncGenerator<LlmResponse, void> {
    if (this.said instanceof Error) throw this.said;
    yield text(this.said);
  }
}

/** A model of an author's that asks another one, by a request that it makes anew. */
class Passing extends BaseLlm {
  inner: BaseLlm | undefined;

  constructor() {
    super({ model: 'passing' });
  }

  override async *generateContentAsync({ contents, config, toolsDict, ordinal }: LlmRequest) {
    const request = { model: '', contents, config, toolsDict, ordinal };
    yield* this.inner?.generateContentAsync(request) ?? [];
  }
}

const first: LlmRouter = (models, _request, failure) =>
  Object.keys(models).find((key) => !failure?.failedKeys.has(key));

function routed(models: RoutedModels, router: LlmRouter = first): RoutedLlm {
  return new RoutedLlm({ models, router });
}

async function failureOf(llm: BaseLlm): Promise<unknown> {
  return collect(llm.generateContentAsync(saying('hi'))).then(
    (answers) => new Error(`It answered: ${JSON.stringify(answers)}`),
    (error: unknown) => error,
  );
}

describe('a RoutedLlm that leads back to itself', () => {
  it('says so when it is one of its own models', async () => {
    const models: Record<string, BaseLlm> = { ok: new Saying('ok') };
    const self = routed(models, () => 'self');
    models.self = self;

    expect(await failureOf(self)).toMatchObject({
      code: 'model.route-cycle',
      message: expect.stringContaining('"RoutedLlm[ok (a-model)]"'),
    });
    expect(() => self.assertNoCycle()).toThrow(expect.objectContaining({ code: 'model.route-cycle' }));
  });

  it('says so when others lead back to it, and goes to no spare: it would never be noticed', async () => {
    const ofFirst: Record<string, BaseLlm> = {};
    const one = new RoutedLlm({ models: ofFirst, router: first, modelName: 'one' });
    const two = new RoutedLlm({ models: { one, ok: new Saying('ok') }, router: first, modelName: 'two' });
    ofFirst.two = two;

    expect(await failureOf(one)).toMatchObject({
      code: 'model.route-cycle',
      message: 'The models of "one" lead back to it: one, two, one.',
    });
    expect(() => one.assertNoCycle()).toThrow(expect.objectContaining({ code: 'model.route-cycle' }));
  });

  it("says so when a model of an author's stands in between", async () => {
    const passing = new Passing();
    passing.inner = routed({ passing });

    expect(await failureOf(passing)).toMatchObject({ code: 'model.route-cycle' });
  });

  it('says so when its router asks it', async () => {
    const self: RoutedLlm = routed({ ok: new Saying('ok') }, async () => {
      await collect(self.generateContentAsync(saying('which?')));
      return 'ok';
    });

    expect(await failureOf(self)).toMatchObject({ code: 'model.route-cycle' });
  });

  it('does not take two models that share a third one for a cycle, nor one call beside another', async () => {
    const shared = routed({ ok: new Saying('ok') });
    const [left, right] = [routed({ shared }), routed({ shared })];
    const top = routed({ left, right });
    const twice = async () => collect(top.generateContentAsync(saying('hi')));

    top.assertNoCycle();
    expect(await Promise.all([twice(), twice()])).toEqual([[text('ok')], [text('ok')]]);
  });

  it('goes through as many as anybody can mean, and no more', async () => {
    const chain = (length: number): BaseLlm => {
      let llm: BaseLlm = new Saying('ok');
      for (let depth = 0; depth < length; depth += 1) llm = routed({ next: llm });
      return llm;
    };

    expect(await collect(chain(32).generateContentAsync(saying('hi')))).toEqual([text('ok')]);
    expect(await failureOf(chain(5_000))).toMatchObject({
      code: 'model.route-cycle',
      message: expect.stringContaining('more than 32'),
    });
  });

  it('has a short name, however many models there are below it', () => {
    let llm: BaseLlm = new Saying('ok');
    for (let depth = 0; depth < 40; depth += 1) llm = routed({ left: llm, right: llm });

    expect(llm.model.length).toBeLessThanOrEqual(200);
  });

  it('ends a run with an error event, and its session takes the next message', async () => {
    const models: Record<string, BaseLlm> = {};
    const self = routed(models);
    models.self = self;
    const broken = await runTurn(new LlmAgent({ name: 'root', model: self }));
    expect(broken.error).toMatchObject({ code: 'model.route-cycle' });

    const { session } = broken;
    const invocationId = `e-${'1'.repeat(32)}`;
    const next = await runTurn(new LlmAgent({ name: 'root', model: new Saying('ok') }), {
      session,
      invocationId,
    });
    expect(next.events.at(-1)?.content).toEqual(text('ok').content);
  });
});

describe('a router that does not do its part', () => {
  afterEach(() => jest.useRealTimers());

  const away = new Saying(new Error('away'));

  it.each([
    ['at first', {}],
    ['after a failure', { away }],
  ])('is named when it throws %s', async (_when, models) => {
    const router: LlmRouter = (_models, _request, failure) => {
      if (failure || !('away' in models)) throw new TypeError('no such tier');
      return 'away';
    };

    expect(await failureOf(routed({ ok: new Saying('ok'), ...models }, router))).toMatchObject({
      code: 'model.no-route',
      message: expect.stringMatching(/^The router of "RoutedLlm\[.*" threw TypeError: no such tier\.?$/),
    });
  });

  it.each([
    ['a number', 7, 'a number'],
    ['a very long text', 'x'.repeat(10_000), `"${'x'.repeat(100)}"`],
  ])('is told when it names %s', async (_what, key, told) => {
    const llm = routed({ ok: new Saying('ok') }, (() => key) as unknown as LlmRouter);

    expect(await failureOf(llm)).toMatchObject({
      code: 'model.no-route',
      message: expect.stringContaining(`chose ${told}, which`),
    });
  });

  it('is asked once about each model: one that names the same one for ever ends with its error', async () => {
    const router = jest.fn<string, Parameters<LlmRouter>>(() => 'away');

    expect(await failureOf(routed({ away }, router))).toMatchObject({ message: 'away' });
    expect(router).toHaveBeenCalledTimes(2);
  });

  it('is given up when it never settles', async () => {
    jest.useFakeTimers();
    const llm = routed({ ok: new Saying('ok') }, () => new Promise(() => undefined));

    const failure = failureOf(llm);
    await jest.advanceTimersByTimeAsync(120_000);

    expect(await failure).toMatchObject({
      code: 'model.no-route',
      message: expect.stringContaining('chose no model within 120 s'),
    });
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is not waited for once the run is cancelled', async () => {
    const abort = new AbortController();
    const llm = routed({ ok: new Saying('ok') }, () => new Promise(() => undefined));
    const asked = collect(llm.generateContentAsync(saying('hi'), false, abort.signal));

    abort.abort(new Error('cancelled'));

    await expect(asked).rejects.toThrow('cancelled');
  });

  it.each([
    ['nothing for models', undefined, first],
    ['a model that is none', { none: undefined }, first],
    ['no router', { ok: away }, undefined],
  ])('is refused at once with %s', (_what, models, router) => {
    expect(() => new RoutedLlm({ models, router } as unknown as RoutedLlmParams)).toThrow(
      expect.objectContaining({ code: 'model.no-route' }),
    );
  });
});
