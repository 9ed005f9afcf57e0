import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Ticket } from '@skein/contracts';

type TicketClaims = Omit<Ticket, 'hmac'>;

/** A signed permission to run one attempt of one call: only who holds the secret can make one that verifies. */
export function mintTicket(secret: string, tool: string, claims: TicketClaims): Ticket {
  return { ...claims, hmac: sign(secret, tool, claims).toString('base64url') };
}

/** Whether we minted this ticket for this tool. Takes the same time for every wrong one. */
export function isGenuine(secret: string, tool: string, ticket: Ticket): boolean {
  const given = Buffer.from(ticket.hmac, 'base64url');
  const expected = sign(secret, tool, ticket);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function sign(secret: string, tool: string, { dispatchId, attempt, deadlineMs }: TicketClaims): Buffer {
  // Only the tool's name may hold a "|", and it has digits on both sides, so no two claims sign the same text.
  return createHmac('sha256', secret).update(`${dispatchId}|${attempt}|${tool}|${deadlineMs}`).digest();
}
