import { AdkError, type Appended, type AppendUnit } from '@skein/contracts';
import { anEvent, pipelineTo } from '../test/builders';
import { type AppendPipeline } from './append-pipeline';
import { AppendUnitClient } from './append-unit-client';

const FIRST_SEQ = 5;

/** A store in which others write between the units. */
class SharedStore extends AppendUnitClient {
  head = FIRST_SEQ;
  refusal: Error | undefined;

  override async append(unit: AppendUnit): Promise<Appended> {
    if (this.refusal) throw this.refusal;
    this.head += unit.events.length;
    return { lastSeq: this.head, tickets: [], cancelRequested: false };
  }
}

/** A pipeline, and up to where it was told that others wrote. */
function aPipeline(load: (lastSeq: number) => Promise<void> = async () => undefined) {
  const store = new SharedStore();
  const told: number[] = [];
  const pipeline = pipelineTo(store, {
    lastSeq: FIRST_SEQ,
    onForeignEvents: (lastSeq) => {
      told.push(lastSeq);
      return load(lastSeq);
    },
  });
  return { store, told, pipeline };
}

function stage(pipeline: AppendPipeline, ...ids: string[]): void {
  for (const id of ids) {
    pipeline.stageEvent({ stepKey: `0/${id}`, event: anEvent(id) });
  }
}

describe('what others write between the units of a run', () => {
  it('is told of by the next unit, once, and never of what is its own', async () => {
    const { store, told, pipeline } = aPipeline();

    stage(pipeline, 'a', 'b');
    await pipeline.stored();
    store.head += 2;
    stage(pipeline, 'c');
    await pipeline.stored();
    stage(pipeline, 'd');
    await pipeline.stored();

    expect(told).toEqual([FIRST_SEQ + 5]);
    expect(pipeline.lastSeq).toBe(FIRST_SEQ + 6);
  });

  it('is waited for before the unit counts as stored, so that the next step sees it', async () => {
    let loaded = false;
    const { store, pipeline } = aPipeline(async () => {
      await new Promise((resolve) => void setImmediate(resolve));
      loaded = true;
    });
    store.head += 1;

    stage(pipeline, 'a');
    await pipeline.stored();

    expect(loaded).toBe(true);
  });

  it('is told of again when it could not be read, and does not fail the run', async () => {
    let failures = 1;
    const { store, told, pipeline } = aPipeline(async () => {
      if (failures-- > 0) throw new AdkError('deadline', 'rpc.timeout', 'late');
    });
    store.head += 1;

    for (const id of ['a', 'b', 'c']) {
      stage(pipeline, id);
      await pipeline.stored();
    }

    expect(told).toEqual([FIRST_SEQ + 2, FIRST_SEQ + 3]);
  });

  it('is not made of events that were refused', async () => {
    const { store, told, pipeline } = aPipeline();
    store.refusal = new AdkError('invalid', 'append.data', 'refused');
    stage(pipeline, 'a', 'b');
    await expect(pipeline.stored()).rejects.toMatchObject({ code: 'append.data' });
    await pipeline.reopen();
    store.refusal = undefined;
    store.head += 1;

    stage(pipeline, 'c');
    await pipeline.stored();

    expect(told).toEqual([FIRST_SEQ + 2]);
  });
});
