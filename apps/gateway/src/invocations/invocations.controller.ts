import { Controller, Get, Headers, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { type InspectedInvocation, type InvocationPage } from '@skein/contracts';
import type { Response } from 'express';
import { AbandonedRuns } from '../run/abandoned-runs';
import { clientLeft } from '../run/client-left';
import { StreamPorts } from '../run/listen-first';
import { OpenStreams } from '../run/open-streams';
import { showStream } from '../run/show-stream';
import { readPosition } from '../run/stream-position';
import { readInvocationKey, readList, readStreamRequest } from './read-invocation-request';
import { reattach } from './reattach';

/** The invocations of one session: what they came to, and their events for a client that lost its stream. */
@Controller('apps/:appName/users/:userId/sessions/:sessionId/invocations')
export class InvocationsController {
  constructor(
    private readonly ports: StreamPorts,
    private readonly streams: OpenStreams,
    private readonly abandoned: AbandonedRuns,
  ) {}

  @Get()
  async list(@Param() params: unknown, @Query() query: unknown): Promise<InvocationPage> {
    return this.ports.api.invocations(readList(params, query));
  }

  @Get(':invocationId')
  async get(@Param() params: unknown): Promise<InspectedInvocation> {
    return this.ports.api.inspect(readInvocationKey(params));
  }

  /** Ends it within 2 s; asked for again, or once it is over, it changes nothing and answers how it stands. */
  @Post(':invocationId/cancel')
  @HttpCode(200)
  async cancel(@Param() params: unknown): Promise<InspectedInvocation> {
    return this.ports.api.cancel(readInvocationKey(params));
  }

  /** Its events above `Last-Event-ID` or `?after=`, then those to come, until it comes to rest. */
  @Get(':invocationId/events')
  async events(
    @Param() params: unknown,
    @Query() query: unknown,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const signal = clientLeft(response);
    const key = readInvocationKey(params);
    const { after, streaming, resume } = readStreamRequest(query);
    const position = readPosition(lastEventId, after);
    // Before it is found: the connection it was begun on may close meanwhile.
    this.abandoned.follow(response, key, false);
    const { found, shown } = await reattach(this.ports, key, position, signal);
    response.setHeader('X-Invocation-Id', found.invocationId);
    await showStream(this.streams, { response, signal }, shown, {
      wantsChunks: streaming,
      wantsResets: resume,
    });
  }
}
