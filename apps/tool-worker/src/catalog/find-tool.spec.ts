import { type ToolCallMessage } from '@skein/contracts';
import { findTool, type FoundTool } from './find-tool';
import { type RunnableTool, ToolCatalog } from './tool-catalog';

/** Of a toolset whose server, or whose author's code, never answers. */
class EndlessCatalog extends ToolCatalog {
  readonly signals: AbortSignal[] = [];

  override find(_message: ToolCallMessage, signal: AbortSignal): Promise<RunnableTool | undefined> {
    this.signals.push(signal);
    return new Promise(() => undefined);
  }
}

// All of it that is used.
const message = {
  call: { tool: 'probe', pool: 'default', policy: { sideEffect: 'idempotent' } },
} as ToolCallMessage;

describe('a search for a tool that never ends by itself', () => {
  let catalog: EndlessCatalog;
  let stopping: AbortController;
  let cancelled: AbortController;

  beforeEach(() => {
    [catalog, stopping, cancelled] = [new EndlessCatalog(), new AbortController(), new AbortController()];
  });

  function find(remainingMs = 60_000): Promise<FoundTool> {
    const bounds = { remainingMs, stopping: stopping.signal, cancelled: cancelled.signal };
    return findTool(catalog, message, bounds);
  }

  it("is ended at its call's deadline, and its toolset is told", async () => {
    expect(await find(5)).toMatchObject({ ended: { outcome: { code: 'tool.deadline' } } });
    expect(catalog.signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('row 40: is ended when its run is cancelled, and not begun after that', async () => {
    const searched = find();
    cancelled.abort();

    for (const found of [await searched, await find()])
      expect(found).toMatchObject({ ended: { outcome: { code: 'tool.cancelled' } } });
    expect(catalog.signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it('leaves the call to another worker when this one stops', async () => {
    const searched = find();
    stopping.abort();

    await expect(searched).rejects.toMatchObject({ kind: 'unavailable', code: 'worker.stopping' });
  });
});
