import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type ReceivedSpan } from '../support/otlp-receiver';
import { drawTrace, worthDrawing } from './draw';
import { runStory } from './story';

void main(path.resolve(__dirname, '../../docs/figures'));

/** `npm run figures:trace`: runs the story and writes what the collector received, and a picture of it. */
async function main(folder: string): Promise<void> {
  const story = await runStory();
  await story.close();
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    path.join(folder, 'trace.json'),
    `${JSON.stringify(story.spans.map(toFigure(story.spans)), null, 1)}\n`,
  );
  writeFileSync(path.join(folder, 'trace.svg'), drawTrace(worthDrawing(story.spans), story.deaths));
  console.log(
    `${story.spans.length} spans of ${story.invocationId} are in docs/figures/trace.json, drawn in trace.svg`,
  );
}

/** Times in milliseconds since the first span began: when it was says nothing. */
function toFigure(spans: readonly ReceivedSpan[]): (span: ReceivedSpan) => object {
  const begin = Math.min(...spans.map(({ startMs }) => startMs));
  const since = (ms: number): number => Math.round((ms - begin) * 1_000) / 1_000;
  return ({ startMs, endMs, ...span }) => ({ ...span, startMs: since(startMs), endMs: since(endMs) });
}
