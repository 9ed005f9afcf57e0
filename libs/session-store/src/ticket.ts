import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Ticket } from '@skein/contracts';

type TicketClaims = Omit<Ticket, 'hmac'>;

/** A signed permission to run one attempt of one call: only who holds the secret can make one that verifies. */
export function mintTicket(secret: string, tool: string, claims: TicketClaims): Ticket {
  const { dispatchId, attempt, deadlineMs } = claims;
  return { dispatchId, attempt, deadlineMs, hmac: sign(secret, tool, claims).toString('base64url') };
}

/**
 * The permission to run one attempt of a call that was ended before. It is told from the others by its signature alone, so
 * that its result cannot be taken for one of the run's, and no worker has to know.
 */
export function mintRedriveTicket(secret: string, tool: string, claims: TicketClaims): Ticket {
  return mintTicket(secret, redriveOf(tool), claims);
}

/**
 * As `mintTicket`, for a call that leaves while it is stored, told as that of a redrive is: it permits nothing before its call is
 * there, nor where what is stored under that id in the end is another call.
 */
export function mintAheadTicket(secret: string, tool: string, claims: TicketClaims): Ticket {
  return mintTicket(secret, aheadOf(tool), claims);
}

/** Whether we minted this ticket for this tool, for whatever purpose. Takes the same time for every wrong one. */
export function isGenuine(secret: string, tool: string, ticket: Ticket): boolean {
  return purposeOf(secret, tool, ticket) !== undefined;
}

/** `ahead` is of a run, too. */
export type TicketPurpose = 'run' | 'ahead' | 'redrive';

/** What we minted this ticket for, with this tool; nothing for one that is not ours. */
export function purposeOf(secret: string, tool: string, ticket: Ticket): TicketPurpose | undefined {
  if (isSigned(secret, tool, ticket)) return 'run';
  if (isSigned(secret, aheadOf(tool), ticket)) return 'ahead';
  return isRedrive(secret, tool, ticket) ? 'redrive' : undefined;
}

/** Whether it is the ticket of a redrive. */
export function isRedrive(secret: string, tool: string, ticket: Ticket): boolean {
  return isSigned(secret, redriveOf(tool), ticket);
}

/** No tool has such a name. */
function aheadOf(tool: string): string {
  return `ahead|${tool}`;
}

/** Nor such a one. */
function redriveOf(tool: string): string {
  return `redrive|${tool}`;
}

function isSigned(secret: string, tool: string, ticket: Ticket): boolean {
  const given = Buffer.from(ticket.hmac, 'base64url');
  const expected = sign(secret, tool, ticket);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function sign(secret: string, tool: string, { dispatchId, attempt, deadlineMs }: TicketClaims): Buffer {
  // Only the tool's name may hold a "|", and it has digits on both sides, so no two claims sign the same text.
  return createHmac('sha256', secret).update(`${dispatchId}|${attempt}|${tool}|${deadlineMs}`).digest();
}
