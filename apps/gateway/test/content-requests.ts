import { createHash } from 'node:crypto';
import { type Answer, type Question, type RunningGateway } from './running-gateway';

const artifacts = '/apps/quickstart/users/user/sessions/s/artifacts';

/** Where the content of one version is; the name as it is sent. */
export function pathOf(name: string, version: number | string): string {
  return `${artifacts}/${name}/versions/${version}/content`;
}

/** Sends and asks for content; `gateway` is the one that runs when it is asked. */
export function contentRequests(gateway: () => RunningGateway) {
  return {
    put: (
      name: string,
      version: number | string,
      body: string | Buffer,
      headers: Record<string, string> = { 'content-type': 'text/csv' },
    ): Promise<Answer> => gateway().ask({ method: 'PUT', path: pathOf(name, version), body, headers }),

    get: (name: string, version: number | string, more: Partial<Question> = {}): Promise<Answer> =>
      gateway().ask({ path: pathOf(name, version), ...more }),
  };
}

/** What an answer says is wrong. */
export function codeOf({ text }: Answer): unknown {
  return (JSON.parse(text) as { readonly code?: unknown }).code;
}

export function sha256(text: string | Buffer, encoding: 'hex' | 'base64' = 'hex'): string {
  return createHash('sha256').update(text).digest(encoding);
}
