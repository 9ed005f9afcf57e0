/**
 * Whether the process of this container is ready: exits with 0 when its /ready at HEALTH_PORT answers 200, else with 1 and
 * what it said. Another path, as /health, may be given.
 */
import { get } from 'node:http';

/** Below the timeout of the image's HEALTHCHECK, so that a reason is shown. */
const TIMEOUT_MS = 4_000;
/** What a server that listens on every address is asked at. */
const LOOPBACK = { '0.0.0.0': '127.0.0.1', '::': '::1' };

const { HEALTH_PORT = '0', HOST = '127.0.0.1' } = process.env;
const [path = '/ready'] = process.argv.slice(2);

if (Number(HEALTH_PORT) > 0) ask();
else end(1, 'HEALTH_PORT names no port');

function ask() {
  const target = { host: LOOPBACK[HOST] ?? HOST, port: HEALTH_PORT, path, timeout: TIMEOUT_MS };
  const request = get(target, (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (piece) => (text += piece));
    response.on('end', () => end(response.statusCode === 200 ? 0 : 1, text.trim()));
  });
  request.on('timeout', () => request.destroy(new Error(`no answer in ${TIMEOUT_MS} ms`)));
  request.on('error', ({ message }) => end(1, message));
}

function end(code, said) {
  process.stdout.write(`${said}\n`);
  process.exitCode = code;
}
