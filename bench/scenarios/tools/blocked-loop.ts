import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { GatewayClient } from '../../gateway-client';
import { type Figures, quantile, round } from '../../report';
import { measureOnStack } from '../../with-stack';

const SESSIONS = 50;
const ROUNDS = 3;
/** Below what a tool blocks for: 20 s. */
const SECONDS = 18;
const FRAME_MS = 50;

type Disturbance = (url: string) => Promise<() => Promise<void>>;

/**
 * How far apart the frames of 50 sessions come that stream one every 50 ms: alone, while a tool blocks its thread for
 * 20 s, while a tool burns a core, and while a process that is none of ours does. Each several times, in turns; of each the
 * median of its p99s.
 */
export async function measureBlockedLoop(): Promise<Figures> {
  const { figures } = await measureOnStack({ TOOL_WORKERS: '2' }, async ({ url }) => {
    const disturbances: Readonly<Record<string, Disturbance>> = {
      alone: async () => async () => undefined,
      blocked: toolThat('Block for 20 s.'),
      foreign: burnOneCore,
      burning: toolThat('Burn for 20 s.'),
    };
    const p99s: Record<string, number[]> = {};
    await gapP99Ms(url, 'warm');
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, disturb] of Object.entries(disturbances)) {
        const end = await disturb(url);
        (p99s[name] ??= []).push(await gapP99Ms(url, `${name}-${round}`));
        await end();
      }
    }
    const median = (name: string): number => quantile(p99s[name] ?? [], 0.5);
    return {
      frameGapAloneP99Ms: median('alone'),
      frameGapBlockedP99Ms: median('blocked'),
      blockedLoopP99Ratio: round(median('blocked') / median('alone')),
      frameGapForeignBurnP99Ms: median('foreign'),
      frameGapBurningToolP99Ms: median('burning'),
      burningToolP99Ratio: round(median('burning') / median('foreign')),
    };
  });
  return figures;
}

async function gapP99Ms(url: string, name: string): Promise<number> {
  const client = new GatewayClient(url, SESSIONS);
  const frames = Math.round((SECONDS * 1_000) / FRAME_MS);
  const streams = Array.from({ length: SESSIONS }, async (_none, session) => {
    const asked = {
      userId: `user-${session}`,
      sessionId: name,
      text: `Stream ${frames} words, one in ${FRAME_MS} ms.`,
    };
    const shown = await client.shown(asked, { streaming: true });
    const chunks = shown.filter(({ event }) => event.partial === true);
    if (chunks.length < frames / 2) throw new Error(`${chunks.length} chunks of ${frames} came`);
    return chunks.slice(1).map(({ atMs }, index) => atMs - (chunks[index]?.atMs ?? NaN));
  });
  const gaps = await Promise.all(streams);
  client.close();
  return quantile(gaps.flat(), 0.99);
}

/** Begins a turn whose tool does so; ends with that turn. */
function toolThat(text: string): Disturbance {
  return async (url) => {
    const client = new GatewayClient(url, 1);
    const turn = client.shown({ userId: 'blocker', sessionId: `${text}-${performance.now()}`, text });
    turn.catch(() => undefined); // Told of below.
    return async () => {
      await turn;
      client.close();
    };
  };
}

async function burnOneCore(): Promise<() => Promise<void>> {
  const burner: ChildProcess = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
  return async () => {
    const ended = once(burner, 'exit');
    burner.kill('SIGKILL');
    await ended;
  };
}
