import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { isTransientStatus, silent, unavailable } from './s3-error';

export interface S3Transport {
  readonly transport: Pick<typeof http, 'request'>;
  readonly transportAgent: http.Agent;
}

/**
 * How the client reaches its server: over connections that are kept, each given up once the server is silent for `idleMs`.
 * An answer that says `later` is an error of the request, so that the client neither waits nor logs on its own, and its
 * body is not left unread on a connection.
 */
export function s3Transport(isTls: boolean, idleMs: number): S3Transport {
  const base = isTls ? https : http;
  const send = (options: RequestOptions, onResponse: (response: IncomingMessage) => void): ClientRequest => {
    let answer: IncomingMessage | undefined;
    const request = base.request({ ...options, timeout: idleMs }, (response) => {
      answer = response;
      const { statusCode = 0 } = response;
      if (isTransientStatus(statusCode)) request.destroy(unavailable(`status ${statusCode}`));
      else onResponse(response);
    });
    request.on('timeout', () => {
      // Bytes that wait here were not taken by our reader: it is slow, not the server.
      if (answer && answer.readableLength > 0) request.socket?.setTimeout(idleMs);
      else endInSilence(request, answer, idleMs);
    });
    return request;
  };
  return {
    // The client calls it with options and a callback, of all the ways there are.
    transport: { request: send as typeof http.request },
    transportAgent: new base.Agent({ keepAlive: true, keepAliveMsecs: 10_000 }),
  };
}

function endInSilence(request: ClientRequest, answer: IncomingMessage | undefined, idleMs: number): void {
  const error = silent(idleMs);
  answer?.destroy(error);
  request.destroy(error);
}
