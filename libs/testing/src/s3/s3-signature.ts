import { createHash, createHmac } from 'node:crypto';
import { type IncomingHttpHeaders } from 'node:http';

export interface S3Credentials {
  readonly accessKey: string;
  readonly secretKey: string;
  readonly region: string;
}

export interface SignedRequest {
  readonly method: string;
  /** As sent, with its query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** What is wrong with a request's signature (AWS Signature Version 4), as S3 names it; nothing when it is right. */
export function signatureProblem(request: SignedRequest, credentials: S3Credentials): string | undefined {
  const query = new URLSearchParams(request.url.split('?')[1] ?? '');
  if (query.has('X-Amz-Signature')) return linkProblem(request, query, credentials);
  const { authorization = '' } = request.headers;
  const match = /Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(authorization);
  if (!match) return 'AccessDenied';
  const [, scope = '', signedHeaders = '', signature = ''] = match;
  const payload = headerOf(request, 'x-amz-content-sha256');
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(request.body)) return 'XAmzContentSHA256Mismatch';
  const date = headerOf(request, 'x-amz-date');
  const text = canonicalRequest(request, signedHeaders, payload);
  return verdict({ scope, date, text, signature }, credentials);
}

function linkProblem(
  request: SignedRequest,
  query: URLSearchParams,
  credentials: S3Credentials,
): string | undefined {
  const date = query.get('X-Amz-Date') ?? '';
  const [day, time] = [date.slice(0, 8), date.slice(9, 15)].map((digits) => digits.match(/../g) ?? []);
  const [century, year, month, dayOfMonth] = day ?? [];
  const begins = Date.parse(`${century}${year}-${month}-${dayOfMonth}T${(time ?? []).join(':')}Z`);
  if (!(Date.now() < begins + 1_000 * Number(query.get('X-Amz-Expires')))) return 'AccessDenied';
  const text = canonicalRequest(request, query.get('X-Amz-SignedHeaders') ?? '', 'UNSIGNED-PAYLOAD');
  const scope = query.get('X-Amz-Credential') ?? '';
  return verdict({ scope, date, text, signature: query.get('X-Amz-Signature') ?? '' }, credentials);
}

interface Claim {
  readonly scope: string;
  readonly date: string;
  readonly text: string;
  readonly signature: string;
}

function verdict({ scope, date, text, signature }: Claim, credentials: S3Credentials): string | undefined {
  const [accessKey, ...rest] = scope.split('/');
  if (accessKey !== credentials.accessKey) return 'InvalidAccessKeyId';
  if (rest[1] !== credentials.region) return 'AuthorizationHeaderMalformed';
  const key = [...rest].reduce<string | Buffer>(
    (secret, piece) => createHmac('sha256', secret).update(piece).digest(),
    `AWS4${credentials.secretKey}`,
  );
  const toSign = ['AWS4-HMAC-SHA256', date, rest.join('/'), sha256(text)].join('\n');
  const expected = createHmac('sha256', key).update(toSign).digest('hex');
  return expected === signature ? undefined : 'SignatureDoesNotMatch';
}

function canonicalRequest(request: SignedRequest, signedHeaders: string, payload: string): string {
  const [path = '', query = ''] = request.url.split('?');
  const pairs = query
    .split('&')
    .filter((pair) => pair !== '' && !pair.startsWith('X-Amz-Signature='))
    .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
    .sort();
  const headers = signedHeaders.split(';').map((name) => `${name}:${headerOf(request, name)}`);
  return [request.method, path, pairs.join('&'), ...headers, '', signedHeaders, payload].join('\n');
}

function headerOf({ headers }: SignedRequest, name: string): string {
  const value = headers[name];
  return (Array.isArray(value) ? value.join(',') : (value ?? '')).trim();
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
