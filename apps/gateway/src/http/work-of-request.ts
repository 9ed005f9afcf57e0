import { type WorkIds, workIdsOf } from '@skein/platform';
import type { Response } from 'express';

/** Whose request it turned out to be, once its body was read: lines written for it tell. */
export function noteWork({ locals }: Response, ids: WorkIds): void {
  Object.assign(locals, ids);
}

/** The ids in the path of the request that is answered, and those that were noted of it. */
export function workOfRequest(response: Response): WorkIds {
  return { ...workIdsOf(response.req.params), ...workIdsOf(response.locals) };
}
