import { Body, Controller, Delete, Get, Header, HttpCode, Param, Post } from '@nestjs/common';
import { AdkError, type CreateSession, type InvocationState, type Session } from '@skein/contracts';
import { AgentsFolder } from '../agents-folder';
import { SessionApi } from '../session-api';
import { readKey, readNamedSession, readNewSession, readOwner } from './read-session-request';

/** The sessions of one user in one app. */
@Controller('apps/:appName/users/:userId/sessions')
export class SessionsController {
  constructor(
    private readonly api: SessionApi,
    private readonly agents: AgentsFolder,
  ) {}

  @Get()
  async list(@Param() params: unknown): Promise<Session[]> {
    const owner = readOwner(params);
    await this.agents.require(owner.appName);
    return this.api.list(owner);
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
  async get(@Param() params: unknown): Promise<Session> {
    const key = readKey(params);
    await this.agents.require(key.appName);
    const session = await this.api.get(key);
    if (session === undefined) throw new AdkError('not_found', 'session.not-found', 'Session not found');
    return session;
  }

  /** Answers `null`, as ADK does, which Nest would send as no body at all. */
  @Delete(':sessionId')
  @Header('Content-Type', 'application/json; charset=utf-8')
  async delete(@Param() params: unknown): Promise<string> {
    const key = readKey(params);
    await this.agents.require(key.appName);
    await this.api.delete(key);
    return 'null';
  }

  @Get(':sessionId/invocations/:invocationId')
  async invocation(
    @Param() params: unknown,
    @Param('invocationId') invocationId: string,
  ): Promise<InvocationState> {
    const key = readKey(params);
    await this.agents.require(key.appName);
    return this.api.invocation({ ...key, invocationId });
  }

  async #create(input: CreateSession): Promise<Session> {
    await this.agents.require(input.appName);
    return this.api.create(input);
  }
}
