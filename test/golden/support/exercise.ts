import { setTimeout as pause } from 'node:timers/promises';
import { Client as Database } from 'pg';
import { Client } from '../../support/client';
import { readStored } from '../../chaos/support/database';
import { type Fleet } from '../../chaos/support/fleet';
import { say, untilEffect, untilOwned } from '../../chaos/support/scenes';
import { waitUntil } from '../../support/wait-until';
import { converse } from '../../chaos/support/load';

/** Does with a fleet of one process each all that makes it send a message, so that each kind is sent once or more. */
export async function exercise(fleet: Fleet): Promise<void> {
  const client = new Client(fleet.url, 'errands');
  await useSessions(client);
  await useArtifacts(client);
  const request = { url: () => fleet.url, app: 'errands', sessionId: 'talks', stream: true };
  for (const message of ['talk 4 10', 'count 2', 'pay 10', 'send', 'both 20'])
    await converse({ ...request, message });
  await guessWrong(fleet, client);
  await lookAtRuns(client);
  await lookAtDeadLetters(client);
  await writeAndCancel(fleet, client);
  await loseRunner(fleet);
  await giveBack(fleet);
  await replaceWorker(fleet);
  await replaceService(fleet);
  await client.request('DELETE', client.sessionPath('talks'));
}

async function useSessions(client: Client): Promise<void> {
  await client.createSession('plain', { title: 'Notes', 'user:name': 'Ada', 'app:tax': 0.2 });
  await client.run('plain', 'hello');
  await client.patchSession('plain', { title: 'Letters' });
  const { body } = await client.run('plain', 'count');
  await client.rewind('plain', body[0]?.invocationId ?? '');
  await client.addToMemory('plain');
  await client.getSession('plain');
  await client.getSession('unknown');
  await client.run('unknown', 'hello');
  await client.request('GET', client.sessionPath(''));
}

async function useArtifacts(client: Client): Promise<void> {
  const at = `${client.sessionPath('plain')}/artifacts`;
  const artifact = { inlineData: { data: 'aGVsbG8=', mimeType: 'text/plain' } };
  await client.request('POST', at, { filename: 'a.txt', artifact, customMetadata: { by: 'Ada' } });
  for (const path of ['', '/a.txt', '/a.txt/versions', '/a.txt/versions/metadata', '/a.txt/versions/0'])
    await client.request('GET', at + path);
  await client.request('DELETE', `${at}/a.txt`);
}

/** A turn in a session that was changed past session-svc, which guesses its claim by what it knows. */
async function guessWrong(fleet: Fleet, client: Client): Promise<void> {
  await client.run('guessed', 'hello', { autoCreateSession: true });
  const database = new Database(fleet.databaseUrl);
  await database.connect();
  try {
    await database.query(`UPDATE adk_sessions SET state = '{"unseen": true}' WHERE id = 'guessed'`);
  } finally {
    await database.end();
  }
  await client.run('guessed', 'hello');
}

async function lookAtRuns(client: Client): Promise<void> {
  const at = client.sessionPath('talks');
  const { body } = await client.request<{ invocations: { invocationId: string }[] }>(
    'GET',
    `${at}/invocations?limit=2`,
  );
  await client.request('GET', `${at}/invocations/${body.invocations[0]?.invocationId ?? ''}`);
  await client.request('GET', `${at}/events`);
}

/** Of the golden run, whose tool `broken` is at its end after two attempts. */
async function lookAtDeadLetters(client: Client): Promise<void> {
  const at = '/apps/golden/dead-letters';
  const { body } = await client.request<{ deadLetters: { dispatchId: string }[] }>('GET', `${at}?limit=1`);
  const letter = `${at}/${body.deadLetters[0]?.dispatchId ?? ''}`;
  await client.request('GET', letter);
  await client.request('POST', `${letter}/redrive`, {});
  await waitUntil('the redrive to fail too', async () => {
    const { status } = await client.request('DELETE', letter);
    return status < 300 || undefined;
  });
}

/** Somebody writes to a session that runs, then ends the run. */
async function writeAndCancel(fleet: Fleet, client: Client): Promise<void> {
  const turn = say(fleet, 'ended', 'wait 20000');
  await untilEffect(fleet, 'ended', 'begin');
  await client.patchSession('ended', { by: 'somebody else' });
  const { invocations } = await readStored(fleet.databaseUrl);
  const { id = '' } = invocations.find(({ sessionId }) => sessionId === 'ended') ?? {};
  await client.request('POST', `${client.sessionPath('ended')}/invocations/${id}/cancel`);
  await turn;
}

/** No runner is there for a message: it waits in RUNS. */
async function loseRunner(fleet: Fleet): Promise<void> {
  const runner = fleet.one('runner');
  runner.isRestarted = false;
  await runner.kill('SIGKILL');
  const turn = say(fleet, 'queued', 'count');
  await pause(1_000);
  runner.isRestarted = true;
  await turn;
}

/** One that begins asks for the time. */
async function replaceWorker(fleet: Fleet): Promise<void> {
  const worker = fleet.one('tool-worker');
  await worker.untilRestarted(await worker.kill('SIGTERM'));
  await say(fleet, 'plain', 'count');
}

/** One that begins asks who there is. */
async function replaceService(fleet: Fleet): Promise<void> {
  const service = fleet.one('session-svc');
  await service.untilRestarted(await service.kill('SIGTERM'));
  await say(fleet, 'plain', 'count');
}

/** A runner that ends while its tool runs, and one that finds the run with its result. */
async function giveBack(fleet: Fleet): Promise<void> {
  const turn = say(fleet, 'given-back', 'wait 20000');
  await untilEffect(fleet, 'given-back', 'begin');
  const owner = await untilOwned(fleet, 'given-back');
  const pid = await owner.kill('SIGTERM');
  await owner.untilRestarted(pid);
  await pause(3_000);
  const { invocations } = await readStored(fleet.databaseUrl);
  const { id = '' } = invocations.find(({ sessionId }) => sessionId === 'given-back') ?? {};
  const client = new Client(fleet.url, 'errands');
  await client.request('POST', `${client.sessionPath('given-back')}/invocations/${id}/cancel`);
  await turn;
}
