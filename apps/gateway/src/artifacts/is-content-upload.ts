import type { IncomingMessage } from 'node:http';

const CONTENT = /^\/apps\/[^/]+\/users\/[^/]+\/sessions\/[^/]+\/artifacts\/.+\/versions\/[^/]+\/content\/?$/i;

/** Whether a request's body is content, read by its route as it comes, and not JSON. */
export function isContentUpload({ method, url = '' }: IncomingMessage): boolean {
  return method === 'PUT' && CONTENT.test(url.split('?')[0] ?? '');
}
