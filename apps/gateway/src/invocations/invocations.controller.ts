import { Controller, Get, Headers, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { type InspectedInvocation, type InvocationPage } from '@skein/contracts';
import type { Response } from 'express';
import { AgentsFolder } from '../agents-folder';
import { clientLeft } from '../run/client-left';
import { OpenStreams } from '../run/open-streams';
import { showStream } from '../run/show-stream';
import { readPosition } from '../run/stream-position';
import { SessionApi } from '../session-api';
import { SessionFeed } from '../session-feed';
import { readInvocationKey, readList, readStreamRequest } from './read-invocation-request';
import { reattach } from './reattach';

/** The invocations of one session: what they came to, and their events for a client that lost its stream. */
@Controller('apps/:appName/users/:userId/sessions/:sessionId/invocations')
export class InvocationsController {
  constructor(
    private readonly api: SessionApi,
    private readonly feed: SessionFeed,
    private readonly agents: AgentsFolder,
    private readonly streams: OpenStreams,
  ) {}

  @Get()
  async list(@Param() params: unknown, @Query() query: unknown): Promise<InvocationPage> {
    const request = readList(params, query);
    await this.agents.require(request.appName);
    return this.api.invocations(request);
  }

  @Get(':invocationId')
  async get(@Param() params: unknown): Promise<InspectedInvocation> {
    const key = readInvocationKey(params);
    await this.agents.require(key.appName);
    return this.api.inspect(key);
  }

  /** Ends it within 2 s; asked for again, or once it is over, it changes nothing and answers how it stands. */
  @Post(':invocationId/cancel')
  @HttpCode(200)
  async cancel(@Param() params: unknown): Promise<InspectedInvocation> {
    const key = readInvocationKey(params);
    await this.agents.require(key.appName);
    return this.api.cancel(key);
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
    await this.agents.require(key.appName);
    const { found, shown } = await reattach({ api: this.api, feed: this.feed }, key, position, signal);
    response.setHeader('X-Invocation-Id', found.invocationId);
    await showStream(this.streams, { response, signal }, shown, {
      wantsChunks: streaming,
      wantsResets: resume,
    });
  }
}
