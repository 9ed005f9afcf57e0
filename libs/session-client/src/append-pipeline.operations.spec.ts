import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { AdkError, type Appended } from '@skein/contracts';
import { type Operation } from '@skein/engine';
import { pipelineTo } from '../test/builders';
import { AppendUnitClient } from './append-unit-client';

/** Takes the first unit and refuses the next. */
class OnceStore extends AppendUnitClient {
  #taken = false;

  override async append(): Promise<Appended> {
    if (this.#taken) throw new AdkError('conflict', 'append.fenced', 'Another runner owns it.');
    this.#taken = true;
    return { lastSeq: 0, tickets: [], cancelRequested: false };
  }
}

it('publishes the start of each unit on skein:append, and its stop or exception', async () => {
  const heard: [string, unknown, unknown][] = [];
  const channels = ['start', 'stop', 'exception'].map((moment) => `skein:append:${moment}`);
  const listen = (message: unknown, channel: string | symbol): void => {
    const { attributes, error } = message as Operation;
    heard.push([String(channel), attributes['skein.append.no'], (error as AdkError | undefined)?.code]);
  };
  for (const channel of channels) subscribe(channel, listen);
  const pipeline = pipelineTo(new OnceStore());

  pipeline.stageRecord({ stepKey: '0/run.0', kind: 'empty', payload: null });
  await pipeline.stored();
  pipeline.stageRecord({ stepKey: '0/root.0/model.0', kind: 'empty', payload: null });
  await pipeline.stored().catch(() => undefined);
  for (const channel of channels) unsubscribe(channel, listen);

  expect(heard).toEqual([
    ['skein:append:start', 1, undefined],
    ['skein:append:stop', 1, undefined],
    ['skein:append:start', 2, undefined],
    ['skein:append:exception', 2, 'append.fenced'],
  ]);
});
