import { FunctionTool } from '@skein/engine';
import { z } from 'zod';
import { type GuardedFetch, guardedFetch } from '../egress/guarded-fetch';
import { readableText } from './readable-text';

export interface LoadWebPageOptions {
  /** From the request to the last byte; 30 s when left out. */
  readonly timeoutMs?: number;
  /** Hosts, networks and origins that are read though they are private. */
  readonly allow?: readonly string[];
}

/**
 * The readable text of a page on the public internet. Never rejects: what cannot be had is `Failed to fetch url: …`, as
 * with @google/adk; unlike there, the address that was checked is the one that is connected to.
 */
export async function loadWebPage(
  url: string,
  { timeoutMs = 30_000, allow = [] }: LoadWebPageOptions = {},
): Promise<string> {
  return textAt(url, guardedFetch({ timeoutMs, allow }));
}

/** The same as a tool for the model. */
export const LOAD_WEB_PAGE = new FunctionTool({
  name: 'load_web_page',
  description: 'Fetches the content at the url and returns the text in it.',
  parameters: z.object({ url: z.string().describe('The url to browse.') }),
  execute: ({ url }) => loadWebPage(url),
});

async function textAt(url: string, fetch: GuardedFetch): Promise<string> {
  try {
    const response = await fetch(url);
    const text = await response.text();
    if (!response.ok) return failed(url);
    return /html|^$/.test(response.headers.get('content-type') ?? '') ? readableText(text) : text;
  } catch {
    // Why is for nobody who can name an address: it would tell what there is inside.
    return failed(url);
  }
}

function failed(url: string): string {
  return `Failed to fetch url: ${url}`;
}
