import { Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { type DeadLetter, type DeadLetterDetails } from '@skein/contracts';
import { DeadLetterApi } from './dead-letter-api';
import { readDeadLetterKey, readDeadLetterList, readRedrive, writeCursor } from './read-dead-letter-request';

interface ShownPage {
  readonly deadLetters: readonly DeadLetter[];
  /** What to ask for as `before`, where there are more. */
  readonly next: string | undefined;
}

/** Calls of an app that the tool plane ended: what they were, sending them once more, setting them aside. */
@Controller('apps/:appName/dead-letters')
export class DeadLettersController {
  constructor(private readonly api: DeadLetterApi) {}

  @Get()
  async list(@Param() params: unknown, @Query() query: unknown): Promise<ShownPage> {
    const { deadLetters, next } = await this.api.list(readDeadLetterList(params, query));
    return { deadLetters, next: next && writeCursor(next) };
  }

  @Get(':dispatchId')
  async get(@Param() params: unknown): Promise<DeadLetterDetails> {
    return this.api.inspect(readDeadLetterKey(params));
  }

  /** Its result is kept with the letter; the conversation has its answer already. */
  @Post(':dispatchId/redrive')
  @HttpCode(200)
  async redrive(@Param() params: unknown, @Query() query: unknown): Promise<DeadLetterDetails> {
    return this.api.redrive(readRedrive(params, query));
  }

  @Delete(':dispatchId')
  async discard(@Param() params: unknown): Promise<DeadLetterDetails> {
    return this.api.discard(readDeadLetterKey(params));
  }
}
