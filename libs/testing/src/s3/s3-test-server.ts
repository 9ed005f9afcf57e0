import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { S3Contents, type S3Object, S3Refusal } from './s3-contents';
import { type S3Credentials, signatureProblem } from './s3-signature';

/** What goes wrong with one request: a status, no answer, or an answer that breaks off or falls silent after some bytes. */
export type S3Fault =
  | { readonly status: number; readonly code: string }
  | { readonly silent: true }
  | { readonly cutAfterBytes: number; readonly isOfUnknownLength?: true }
  | { readonly stallAfterBytes: number };

export interface S3Call {
  readonly method: string;
  readonly bucket: string;
  readonly name: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** Keys to a page of a listing: few, so that a test of pages is small. */
const PAGE = 3;

/**
 * As much of S3 as an artifact store needs, in this process and in memory: buckets, objects, ranges, uploads in parts,
 * listings by pages and links. Signatures and payload hashes are checked.
 */
export class S3TestServer {
  readonly contents = new S3Contents();
  readonly calls: S3Call[] = [];
  /** Asked for every request that was signed well. */
  fault: (call: S3Call) => S3Fault | undefined = () => undefined;

  private constructor(
    private readonly server: Server,
    readonly credentials: S3Credentials,
  ) {}

  /** Listens on a port of 127.0.0.1, a free one without it. */
  static async start(port = 0): Promise<S3TestServer> {
    const server = createServer();
    const credentials = { accessKey: 'test-access', secretKey: 'test-secret', region: 'eu-test-1' };
    const s3 = new S3TestServer(server, credentials);
    server.on('request', (request, response) => void s3.#serve(request, response));
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return s3;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`; // A TCP server that listens has this form.
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    } catch {
      return; // The client is gone, and nobody waits for an answer.
    }
    const body = Buffer.concat(chunks);
    chunks.length = 0;
    const [path = '', query = ''] = url.split('?');
    const [bucket = '', ...name] = decodeURIComponent(path.slice(1)).split('/');
    const call = { method, bucket, name: name.join('/'), query: new URLSearchParams(query), headers, body };
    const problem = signatureProblem({ method, url, headers, body }, this.credentials);
    if (problem === undefined) {
      this.calls.push(this.contents.isForgetful ? { ...call, body: Buffer.of() } : call);
      this.#answer(call, response);
    } else refuse(response, new S3Refusal(403, problem));
  }

  #answer(call: S3Call, response: ServerResponse): void {
    const fault = this.fault(call);
    if (fault && 'silent' in fault) return;
    try {
      if (fault && 'status' in fault) throw new S3Refusal(fault.status, fault.code);
      const { bucket, name } = call;
      if (name === '') this.#serveBucket(call, response);
      else if (call.method === 'GET' || call.method === 'HEAD') {
        send(response, call, this.contents.object(bucket, name), fault);
      } else this.#change(call, response);
    } catch (error) {
      refuse(response, error);
    }
  }

  #serveBucket({ method, bucket, query }: S3Call, response: ServerResponse): void {
    if (method === 'PUT') this.contents.makeBucket(bucket);
    else this.contents.bucket(bucket);
    if (method !== 'GET') response.end();
    else if (query.has('uploads')) sendXml(response, this.#listUploads(bucket, query));
    else sendXml(response, this.#listObjects(bucket, query));
  }

  #change({ method, bucket, name, query, body }: S3Call, response: ServerResponse): void {
    const { contents } = this;
    const id = query.get('uploadId');
    if (method === 'POST' && id === null) {
      sendXml(
        response,
        `<InitiateMultipartUploadResult><UploadId>${contents.begin(bucket, name)}</UploadId></InitiateMultipartUploadResult>`,
      );
    } else if (method === 'POST' && id !== null) {
      const { etag } = contents.complete(id, partsIn(body.toString()));
      const result = `<Location>x</Location><Bucket>${bucket}</Bucket><Key>${name}</Key><ETag>${etag}</ETag>`;
      sendXml(response, `<CompleteMultipartUploadResult>${result}</CompleteMultipartUploadResult>`);
    } else if (method === 'PUT') {
      const part = Number(query.get('partNumber'));
      const stored = id === null ? contents.put(bucket, name, body) : contents.putPart(id, part, body);
      response.setHeader('ETag', `"${stored.etag}"`).end();
    } else {
      if (id === null) contents.bucket(bucket).delete(name);
      else contents.abort(id);
      response.writeHead(204).end();
    }
  }

  #listObjects(bucket: string, query: URLSearchParams): string {
    const after = query.get('continuation-token') ?? '';
    const prefix = query.get('prefix') ?? '';
    const names = [...this.contents.bucket(bucket).keys()]
      .filter((name) => name.startsWith(prefix) && name > after)
      .sort();
    const shown = names.slice(0, PAGE).map((name) => {
      const { sizeBytes, etag, modified } = this.contents.object(bucket, name);
      const times = `<LastModified>${modified.toISOString()}</LastModified>`;
      return `<Contents><Key>${name}</Key>${times}<ETag>"${etag}"</ETag><Size>${sizeBytes}</Size></Contents>`;
    });
    const isMore = names.length > PAGE;
    const next = isMore ? `<NextContinuationToken>${names[PAGE - 1]}</NextContinuationToken>` : '';
    return `<ListBucketResult><IsTruncated>${isMore}</IsTruncated>${next}${shown.join('')}</ListBucketResult>`;
  }

  #listUploads(bucket: string, query: URLSearchParams): string {
    const after = query.get('key-marker') ?? '';
    const found = [...this.contents.uploads]
      .map(([id, upload]) => ({ id, ...upload }))
      .filter((upload) => upload.bucket === bucket && upload.name > after)
      .sort((one, other) => (one.name < other.name ? -1 : 1));
    const shown = found.slice(0, PAGE).map(({ id, name, initiated }) => {
      const began = `<Initiated>${initiated.toISOString()}</Initiated>`;
      return `<Upload><Key>${name}</Key><UploadId>${id}</UploadId>${began}</Upload>`;
    });
    const isMore = found.length > PAGE;
    const next = isMore ? `<NextKeyMarker>${found[PAGE - 1]?.name}</NextKeyMarker>` : '';
    const more = `<IsTruncated>${isMore}</IsTruncated>${next}`;
    return `<ListMultipartUploadsResult>${more}${shown.join('')}</ListMultipartUploadsResult>`;
  }
}

function send(
  response: ServerResponse,
  { method, headers, query }: S3Call,
  { bytes, sizeBytes, etag, modified }: S3Object,
  fault: S3Fault | undefined,
): void {
  const range = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '');
  const from = Number(range?.[1] ?? 0);
  const to = range?.[2] ? Math.min(Number(range[2]) + 1, sizeBytes) : sizeBytes;
  if (range && from >= sizeBytes) throw new S3Refusal(416, 'InvalidRange');
  const content = bytes.subarray(from, to);
  response.writeHead(range ? 206 : 200, {
    ...(fault && 'isOfUnknownLength' in fault ? {} : { 'Content-Length': to - from }),
    ETag: `"${etag}"`,
    'Last-Modified': modified.toUTCString(),
    'Content-Type': query.get('response-content-type') ?? 'application/octet-stream',
    'Content-Disposition': query.get('response-content-disposition') ?? 'inline',
  });
  if (method === 'HEAD') response.end();
  else if (bytes.length < sizeBytes) Readable.from(zeros(to - from)).pipe(response);
  else if (fault && 'cutAfterBytes' in fault) {
    response.write(content.subarray(0, fault.cutAfterBytes), () => response.destroy());
  } else if (fault && 'stallAfterBytes' in fault) response.write(content.subarray(0, fault.stallAfterBytes));
  else response.end(content);
}

function* zeros(sizeBytes: number): Iterable<Buffer> {
  const chunk = Buffer.alloc(64 * 1024);
  for (let left = sizeBytes; left > 0; left -= chunk.length) yield chunk.subarray(0, left);
}

function partsIn(xml: string): { readonly part: number; readonly etag: string }[] {
  const parts = [...xml.matchAll(/<PartNumber>(\d+)<\/PartNumber>\s*<ETag>"?([0-9a-f]+)"?<\/ETag>/g)];
  return parts.map(([, part = '', etag = '']) => ({ part: Number(part), etag }));
}

function sendXml(response: ServerResponse, xml: string): void {
  response.setHeader('Content-Type', 'application/xml').end(`<?xml version="1.0" encoding="UTF-8"?>${xml}`);
}

function refuse(response: ServerResponse, error: unknown): void {
  const { status, code } = error instanceof S3Refusal ? error : new S3Refusal(500, 'InternalError');
  response.statusCode = status;
  sendXml(response, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}
