import { Controller, Get, Headers, Param, Query, Res } from '@nestjs/common';
import { type SessionKey } from '@skein/contracts';
import type { Response } from 'express';
import { clientLeft } from '../run/client-left';
import type { LeaveSignal } from '../run/leave-signal';
import { StreamPorts } from '../run/listen-first';
import { OpenStreams } from '../run/open-streams';
import { showStream } from '../run/show-stream';
import { readPosition } from '../run/stream-position';
import { readKey } from '../sessions/read-session-request';
import { readStreamRequest, type StreamRequest } from './read-invocation-request';
import { checkPosition, checkUid, followSession } from './reattach';

/** A session's event log: a page of it as JSON, or all that comes as a stream, by what the client accepts. */
@Controller('apps/:appName/users/:userId/sessions/:sessionId/events')
export class SessionEventsController {
  constructor(
    private readonly ports: StreamPorts,
    private readonly streams: OpenStreams,
  ) {}

  @Get()
  async events(
    @Param() params: unknown,
    @Query() query: unknown,
    @Headers('accept') accept: string | undefined,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const signal = clientLeft(response);
    const key = readKey(params);
    const request = readStreamRequest(query);
    const after = readPosition(lastEventId, request.after) ?? 0;
    if (accept?.includes('text/event-stream')) await this.#stream(key, after, request, response, signal);
    else response.json(await this.#page(key, after, request));
  }

  async #page(key: SessionKey, after: number, { sessionUid }: StreamRequest): Promise<object> {
    const page = await this.ports.api.events({ ...key, afterSeq: after });
    checkUid(sessionUid, page.sessionUid);
    checkPosition(after, page.lastSeq);
    const events = page.events.map(({ seq, event }) => ({ seq, event }));
    return { sessionUid: page.sessionUid, lastSeq: page.lastSeq, events };
  }

  async #stream(
    key: SessionKey,
    after: number,
    { streaming, resume, sessionUid }: StreamRequest,
    response: Response,
    signal: LeaveSignal,
  ): Promise<void> {
    const { found, shown } = await followSession(this.ports, key, { after, sessionUid }, signal);
    response.setHeader('X-Session-Uid', found.sessionUid);
    const options = { wantsChunks: streaming, wantsResets: resume, wantsUserEvents: true };
    await showStream(this.streams, { response, signal }, shown, options);
  }
}
