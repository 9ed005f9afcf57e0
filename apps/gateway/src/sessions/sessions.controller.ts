import { randomUUID } from 'node:crypto';
import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  Headers,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
} from '@nestjs/common';
import { AdkError, type CreateSession, type GetSession, type Session } from '@skein/contracts';
import { AgentsFolder } from '../agents-folder';
import { SessionApi } from '../session-api';
import { readGet, readPatch, readRewind } from './read-session-change';
import { readKey, readNamedSession, readNewSession, readSessionOwner } from './read-session-request';

/** The sessions of one user in one app. What is stored can be read, changed and deleted also when its app is gone. */
@Controller('apps/:appName/users/:userId/sessions')
export class SessionsController {
  constructor(
    private readonly api: SessionApi,
    private readonly agents: AgentsFolder,
  ) {}

  @Get()
  async list(@Param() params: unknown): Promise<Session[]> {
    return this.api.list(readSessionOwner(params));
  }

  @Post()
  @HttpCode(200)
  async create(@Param() params: unknown, @Body() body: unknown): Promise<Session> {
    return this.#create(readNewSession(params, body));
  }

  @Post(':sessionId')
  @HttpCode(200)
  async createNamed(@Param() params: unknown, @Body() body: unknown): Promise<Session> {
    return this.#create(readNamedSession(params, body));
  }

  @Get(':sessionId')
  async get(@Param() params: unknown, @Query('atSeq') atSeq: unknown): Promise<Session> {
    return this.#get(readGet(params, atSeq));
  }

  /** Changes state, also while a run is under way: its next step sees it. */
  @Patch(':sessionId')
  async patch(
    @Param() params: unknown,
    @Body() body: unknown,
    @Headers('if-match') ifMatch: string | undefined,
  ): Promise<Session> {
    await this.api.write(readPatch(params, body, ifMatch));
    return this.#get(readKey(params));
  }

  @Post(':sessionId/rewind')
  @HttpCode(200)
  async rewind(@Param() params: unknown, @Body() body: unknown): Promise<Session> {
    const rewind = readRewind(params, body);
    await this.agents.require(rewind.appName);
    await this.api.rewind(rewind);
    return this.#get(readKey(params));
  }

  /** Answers `null`, as ADK does, which Nest would send as no body at all. */
  @Delete(':sessionId')
  @Header('Content-Type', 'application/json; charset=utf-8')
  async delete(@Param() params: unknown): Promise<string> {
    await this.api.delete(readKey(params));
    return 'null';
  }

  async #get(request: GetSession): Promise<Session> {
    const session = await this.api.get(request);
    if (session === undefined) throw new AdkError('not_found', 'session.not-found', 'Session not found');
    return session;
  }

  async #create(input: CreateSession): Promise<Session> {
    await this.agents.require(input.appName);
    return this.api.create({ ...input, sessionId: input.sessionId ?? randomUUID(), uid: randomUUID() });
  }
}
