import { z } from 'zod';

const POOL_NAME = /^[a-zA-Z0-9-]{1,128}$/;

/**
 * The name of a pool of tool workers. It stands as it is in NATS subjects, in the name of its queue's consumer, in permissions and in
 * lists with commas: a `*` would be a pool of that name, not every pool. Checked where names are given; messages carry any text.
 */
export const poolNameSchema = z
  .string()
  .refine((name) => POOL_NAME.test(name), { error: ({ input }) => whyNot(String(input)) });

function whyNot(name: string): string {
  const shown = JSON.stringify(name.length > 40 ? `${name.slice(0, 40)}…` : name);
  return `${shown} is no name of a pool: it must be 1 to 128 letters, digits and "-"`;
}
