import { type DisconnectFigures, runDisconnects } from '../support/disconnects';
import { Fleet } from '../support/fleet';
import { type ChaosOptions } from './options';

const DEADLINE_MS = 600_000;

/** Clients of two gateways lose their connections at random, and take their streams up again. */
export async function cutClients(
  { seed, disconnects }: ChaosOptions,
  say: (line: string) => void,
): Promise<DisconnectFigures> {
  const fleet = await Fleet.start({ gateways: 2, runners: 2, toolWorkers: 2, sessionServices: 2 });
  try {
    const urls = (): readonly string[] => fleet.urls;
    const figures = await runDisconnects({ urls, count: disconnects, seed, deadlineMs: DEADLINE_MS });
    const { turns, events, missing, repeated, wrong } = figures;
    say(
      `${figures.disconnects} disconnects of clients in ${turns} turns: of ${events} events ${missing} missing, ` +
        `${repeated} repeated, ${wrong} out of place`,
    );
    return figures;
  } finally {
    await fleet.stop();
  }
}
