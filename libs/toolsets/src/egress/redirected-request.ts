import { requestUrl } from './check-url';

/** A request as it goes out; its body is whole, so that a redirect can take it along. */
export interface OutgoingRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer> | undefined;
}

const REDIRECTS = [301, 302, 303, 307, 308];
/** What another origin gets to see; any other header may be a credential, whatever it is called. */
const HARMLESS = ['accept', 'accept-language', 'content-type', 'user-agent'];

/** Where a response sends its request on to; nothing for any other response. Throws `egress.url` for no good place. */
export function redirectedRequest(
  request: OutgoingRequest,
  status: number,
  location: string | null,
): OutgoingRequest | undefined {
  if (location === null || !REDIRECTS.includes(status)) return undefined;
  const url = requestUrl(location, request.url);
  const headers = url.origin === request.url.origin ? request.headers : harmless(request.headers);
  const becomesGet =
    (status === 303 && request.method !== 'HEAD') ||
    ((status === 301 || status === 302) && request.method === 'POST');
  return becomesGet
    ? { url, method: 'GET', headers: withoutType(headers), body: undefined }
    : { ...request, url, headers };
}

function harmless(headers: Headers): Headers {
  return new Headers([...headers].filter(([name]) => HARMLESS.includes(name)));
}

function withoutType(headers: Headers): Headers {
  return new Headers([...headers].filter(([name]) => name !== 'content-type'));
}
