import { randomUUID } from 'node:crypto';
import { subjects, type CallPass, type Handover, type SessionKey } from '@skein/contracts';
import { RemoteArtifactMetadata, RemoteCallMemory, RemoteMemoryService } from '@skein/session-client';
import { mintTicket } from '@skein/session-store';
import { anEvent } from '@skein/testing';
import { z } from 'zod';
import { aHeldCall } from './held-call';
import { publishResult, statusOfCall } from './session-svc-harness';
import { sharedServices } from './session-services';
import { eventually } from './session-store-harness';

const { ground, cleanup } = sharedServices();

interface DispatchedCall {
  readonly handover: Handover;
  readonly pass: CallPass;
  readonly key: SessionKey;
}

async function aDispatchedCall(userId?: string): Promise<DispatchedCall> {
  const { handover, key, ticket } = await aHeldCall(ground, cleanup, userId);
  return { handover, key, pass: { tool: 'add', ticket } };
}

function artifactsOf(pass: CallPass): RemoteArtifactMetadata {
  return new RemoteArtifactMetadata(ground.rpc, { pass });
}

const content = { mimeType: 'text/plain', sizeBytes: 2, sha256: 'a'.repeat(64) };

function aRecord(key: SessionKey, filename = 'note.txt') {
  return { ...key, ...content, filename, objectKey: randomUUID() };
}

describe('what a worker asks for a call', () => {
  it('is answered with the ticket of the call: the artifacts of its session, the memory of its user', async () => {
    const { key, pass } = await aDispatchedCall('ada');
    const said = { role: 'user', parts: [{ text: 'I like tea.' }] };
    await new RemoteMemoryService(ground.rpc).addSessionToMemory({
      ...{ ...key, id: key.sessionId, state: {}, lastUpdateTime: 0 },
      events: [anEvent({ content: said })],
    });

    const { version } = await artifactsOf(pass).record(aRecord(key));
    const found = await new RemoteCallMemory(ground.rpc, pass).searchMemory({ ...key, query: 'tea' });

    expect(version).toBe(0);
    expect(await artifactsOf(pass).list(key)).toEqual(['note.txt']);
    expect(found.memories.map((memory) => memory.content)).toEqual([said]);
  });

  it('is about its own session and user, and nobody else’s (row 16)', async () => {
    const mine = await aDispatchedCall('ada');
    const other = await aDispatchedCall('bob');
    await artifactsOf(other.pass).record(aRecord(other.key));
    const { appName } = mine.key;
    const asked = [
      () => artifactsOf(mine.pass).find({ ...other.key, filename: 'note.txt' }),
      () => artifactsOf(mine.pass).list({ ...other.key, userId: mine.key.userId }),
      () => artifactsOf(mine.pass).record(aRecord(other.key)),
      () => artifactsOf(mine.pass).delete({ ...other.key, filename: 'note.txt' }),
      () => artifactsOf(mine.pass).list({ ...mine.key, appName: 'another' }),
      () =>
        new RemoteCallMemory(ground.rpc, mine.pass).searchMemory({ appName, userId: 'bob', query: 'tea' }),
    ];

    for (const ask of asked) await expect(ask()).rejects.toMatchObject({ code: 'call.refused' });
    expect(await artifactsOf(other.pass).versions({ ...other.key, filename: 'note.txt' })).toEqual([0]);
  });

  it('is refused with a ticket of another maker, another tool or another call (row 16)', async () => {
    const { key, pass } = await aDispatchedCall();
    const other = await aDispatchedCall();
    const { hmac: _hmac, ...claims } = pass.ticket;
    const forged: CallPass[] = [
      { tool: 'add', ticket: mintTicket('another secret', 'add', claims) },
      { ...pass, tool: 'subtract' },
      { ...pass, ticket: { ...pass.ticket, dispatchId: other.pass.ticket.dispatchId } },
      { ...pass, ticket: { ...pass.ticket, attempt: 2 } },
    ];

    for (const one of forged) {
      await expect(artifactsOf(one).list(key)).rejects.toMatchObject({ code: 'call.forged' });
    }
  });

  it('is refused once the call has its result (row 17)', async () => {
    const { key, pass, handover } = await aDispatchedCall();
    await artifactsOf(pass).record(aRecord(key));
    await publishResult(ground, handover, pass.ticket);
    await eventually('the call to end', async () => {
      const status = await statusOfCall(ground, pass.ticket.dispatchId);
      return status === 'done' || undefined;
    });

    // Who was asked just before may remember for a moment that it was open.
    await eventually('the refusal', () =>
      artifactsOf(pass)
        .record(aRecord(key))
        .then(
          () => undefined,
          (error: unknown) => (error as { code?: string }).code === 'call.over' || undefined,
        ),
    );
  });

  it('has what it had before under the subjects of an earlier version', async () => {
    const answer = z.object({ nowMs: z.number() });
    const ask = (subject: string) => ground.rpc.request(subject, answer, {}, { timeoutMs: 5_000 });

    const [before, now] = [await ask(subjects.toolRpc('clock')), await ask(subjects.callRpc('clock'))];

    expect(now.nowMs).toBeGreaterThanOrEqual(before.nowMs);
  });
});
