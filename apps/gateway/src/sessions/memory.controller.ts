import { Body, Controller, Header, Param, Patch } from '@nestjs/common';
import { SessionApi } from '../session-api';
import { readMemory } from './read-session-change';

/** What a user said in earlier sessions. */
@Controller('apps/:appName/users/:userId/memory')
export class MemoryController {
  constructor(private readonly api: SessionApi) {}

  /** Takes a session up; taken up again, it replaces what was kept of it. Answers `null`, as ADK does. */
  @Patch()
  @Header('Content-Type', 'application/json; charset=utf-8')
  async add(@Param() params: unknown, @Body() body: unknown): Promise<string> {
    await this.api.remember(readMemory(params, body));
    return 'null';
  }
}
