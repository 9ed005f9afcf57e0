import { type WorkIds, workIdsOf } from '@skein/platform';
import type { Response } from 'express';

const noted = new WeakMap<Response, WorkIds>();

/** Whose request it turned out to be, once its body was read: lines written for it tell. */
export function noteWork(response: Response, ids: WorkIds): void {
  noted.set(response, { ...noted.get(response), ...ids });
}

/** The ids in the path of the request that is answered, and those that were noted of it. */
export function workOfRequest(response: Response): WorkIds {
  return { ...workIdsOf(response.req.params), ...noted.get(response) };
}
