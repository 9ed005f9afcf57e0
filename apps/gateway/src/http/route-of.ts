import type { Request } from 'express';

/** Express leaves the matched route untyped, and none where none matched. */
export function routeOf({ route }: Request): string {
  const path = (route as { readonly path?: unknown } | undefined)?.path;
  return typeof path === 'string' ? path : 'none';
}
