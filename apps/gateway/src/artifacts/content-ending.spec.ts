import { once } from 'node:events';
import { type IncomingMessage, request as send } from 'node:http';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LocalObjectStore } from '@skein/artifact-store';
import { pathOf } from '../../test/content-requests';
import { type RunningGateway, startGateway } from '../../test/running-gateway';
import { ContentLimits } from './content-limits';

/** More than the buffers of two sockets hold. */
const CONTENT_BYTES = 48 * 1024 * 1024;

describe('row 41: content when its gateway ends', () => {
  let folder: string;
  let objects: WatchedStore;
  let gateway: RunningGateway;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'skein-ending-'));
    objects = new WatchedStore(folder);
    gateway = await startGateway(undefined, {
      objects,
      contentLimits: new ContentLimits(CONTENT_BYTES, 30_000),
      answerMs: 20,
    });
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is not taken any more: the client hears why, and nothing is kept', async () => {
    const upload = send(`${gateway.url}${pathOf('a', 0)}`, {
      method: 'PUT',
      headers: { 'content-length': CONTENT_BYTES },
      agent: false,
    });
    const answered = once(upload, 'response') as Promise<[IncomingMessage]>;
    upload.write('half');
    await objects.begun;

    await gateway.stop();

    const [answer] = await answered;
    let text = '';
    for await (const chunk of answer) text += String(chunk);
    upload.destroy();
    expect([answer.statusCode, text]).toEqual([503, expect.stringContaining('"code":"gateway.ending"')]);
    const kept = await readdir(folder, { recursive: true, withFileTypes: true });
    expect(kept.filter((entry) => entry.isFile())).toEqual([]);
  });

  it('is cut for a client that is still reading', async () => {
    await gateway.ask({ method: 'PUT', path: pathOf('a', 0), body: Buffer.alloc(CONTENT_BYTES, 'x') });
    const download = send(`${gateway.url}${pathOf('a', 0)}`, { agent: false });
    download.end();
    const [answer] = (await once(download, 'response')) as [IncomingMessage];
    answer.pause();

    await gateway.stop();

    await expect(pipeline(answer, new PassThrough().resume())).rejects.toThrow('aborted');
  });
});

/** Tells when the first upload began. */
class WatchedStore extends LocalObjectStore {
  #begin: () => void = () => undefined;
  readonly begun = new Promise<void>((resolve) => {
    this.#begin = resolve;
  });

  override put(...upload: Parameters<LocalObjectStore['put']>): ReturnType<LocalObjectStore['put']> {
    this.#begin();
    return super.put(...upload);
  }
}
