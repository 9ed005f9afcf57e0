import { Body, Controller, Headers, HttpCode, Post, Query, Res } from '@nestjs/common';
import { AdkError, type Event, type InvocationError } from '@skein/contracts';
import type { Response } from 'express';
import { AgentsFolder } from '../agents-folder';
import { SessionApi } from '../session-api';
import { SessionFeed } from '../session-feed';
import { clientLeft } from './client-left';
import { errorFrame, failureOf, framesOf, isAnswerOfRun, type FrameOptions } from './event-frames';
import { followInvocation, type FollowedRun, type RunOutcome } from './follow-invocation';
import { OpenStreams } from './open-streams';
import { readRunRequest, type RunRequest } from './read-run-request';
import type { SseStream } from './sse-stream';

/** Runs an agent: `/run` answers all its events at once, `/run_sse` each as it is stored. A disconnect ends neither run. */
@Controller()
export class RunController {
  constructor(
    private readonly api: SessionApi,
    private readonly feed: SessionFeed,
    private readonly agents: AgentsFolder,
    private readonly streams: OpenStreams,
  ) {}

  @Post('run')
  @HttpCode(200)
  async run(
    @Body() body: unknown,
    @Headers('idempotency-key') idempotencyKey: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Event[]> {
    const signal = clientLeft(response);
    const { shown } = await this.#start(readRunRequest(body, idempotencyKey), response, signal);
    const events: Event[] = [];
    const outcome = await each(shown, (next) => {
      if (next.kind === 'event' && isAnswerOfRun(next.event)) events.push(next.event);
    });
    const failure = failureOf(outcome);
    if (failure !== undefined) throw runError(failure);
    return events;
  }

  @Post('run_sse')
  async runSse(
    @Body() body: unknown,
    @Headers('idempotency-key') idempotencyKey: string | undefined,
    @Query('resume') resume: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const signal = clientLeft(response);
    const request = readRunRequest(body, idempotencyKey);
    const { shown } = await this.#start(request, response, signal);
    const { functionCallEventId } = request.submit;
    const options = { wantsChunks: request.wantsChunks, wantsResets: resume === '1', functionCallEventId };
    await this.streams.during(response, signal, async (stream) => {
      try {
        await showRun(shown, stream, options);
      } catch (error) {
        // The status went out long ago, so the failure is told in the stream; a client that left needs no telling.
        if (!signal.aborted) await stream.write(errorFrame(AdkError.from(error), Date.now()));
      }
    });
  }

  /** A client may have left by now: its run begins all the same, and nobody listens to it. */
  async #start({ submit }: RunRequest, response: Response, signal: AbortSignal): Promise<FollowedRun> {
    await this.agents.require(submit.appName);
    const run = await followInvocation({ api: this.api, feed: this.feed }, submit, signal);
    response.setHeader('X-Invocation-Id', run.submitted.invocationId);
    return run;
  }
}

/** The app alone knows whether it goes on without a message, and only a runner knows the app: this is a refusal (B54). */
const NOT_RESUMABLE = 'run.not-resumable';

function runError({ code, message }: InvocationError): AdkError {
  return code === NOT_RESUMABLE
    ? new AdkError('invalid', code, message)
    : new AdkError('internal', 'run.failed', `${code}: ${message}`);
}

async function showRun(shown: FollowedRun['shown'], stream: SseStream, options: FrameOptions): Promise<void> {
  const outcome = await each(shown, async (next) => {
    for (const frame of framesOf(next, options)) await stream.write(frame);
  });
  const failure = failureOf(outcome);
  if (failure !== undefined) await stream.write(errorFrame(failure, Date.now()));
}

/** `for await`, which would lose what the generator returns at its end. */
async function each<T>(
  source: AsyncGenerator<T, RunOutcome>,
  take: (next: T) => void | Promise<void>,
): Promise<RunOutcome> {
  try {
    for (;;) {
      const next = await source.next();
      if (next.done === true) return next.value;
      await take(next.value);
    }
  } finally {
    await source.return({ status: 'cancelled' });
  }
}
