import { Body, Controller, Headers, Post, Query, Res } from '@nestjs/common';
import { AdkError, type Event, type InvocationError, type Submitted } from '@skein/contracts';
import { workIdsOf } from '@skein/platform';
import type { Response } from 'express';
import { AgentsFolder } from '../agents-folder';
import { sendJson } from '../http/send-json';
import { noteWork } from '../http/work-of-request';
import { AbandonedRuns } from './abandoned-runs';
import { clientLeft } from './client-left';
import { Ending } from './ending';
import { failureOf, isAnswerOfRun } from './event-frames';
import { followInvocation } from './follow-invocation';
import type { LeaveSignal } from './leave-signal';
import { keyOf, type OpenedStream, StreamPorts } from './listen-first';
import { OpenStreams } from './open-streams';
import { readRunRequest, type RunRequest } from './read-run-request';
import { readResume } from './resume-query';
import { each, showStream } from './show-stream';

/**
 * Runs an agent: `/run` answers all its events at once, `/run_sse` each as it is stored. A disconnect ends neither run,
 * unless the request says so.
 */
@Controller()
export class RunController {
  constructor(
    private readonly ports: StreamPorts,
    private readonly agents: AgentsFolder,
    private readonly streams: OpenStreams,
    private readonly ending: Ending,
    private readonly abandoned: AbandonedRuns,
  ) {}

  @Post('run')
  async run(
    @Body() body: unknown,
    @Headers('idempotency-key') idempotencyKey: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const signal = clientLeft(response, this.ending);
    const { shown } = await this.#start(readRunRequest(body, { idempotencyKey }), response, signal);
    const events: Event[] = [];
    const outcome = await each(shown, (lot) => {
      for (const next of lot) {
        if (next.kind === 'event' && isAnswerOfRun(next.event)) events.push(next.event);
      }
    });
    const failure = failureOf(outcome);
    if (failure !== undefined) throw runError(failure);
    sendJson(response, events);
  }

  @Post('run_sse')
  async runSse(
    @Body() body: unknown,
    @Headers('idempotency-key') idempotencyKey: string | undefined,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Query() query: unknown,
    @Res() response: Response,
  ): Promise<void> {
    const signal = clientLeft(response);
    const request = readRunRequest(body, { idempotencyKey, lastEventId });
    const wantsResets = readResume(query);
    const { shown } = await this.#start(request, response, signal);
    const { functionCallEventId } = request.submit;
    const options = { wantsChunks: request.wantsChunks, wantsResets, functionCallEventId };
    await showStream(this.streams, { response, signal }, shown, options);
  }

  /** A client may have left by now: its run begins all the same, and nobody listens to it. */
  async #start(
    { submit, endsWithClient, lastSeen }: RunRequest,
    response: Response,
    signal: LeaveSignal,
  ): Promise<OpenedStream<Submitted>> {
    noteWork(response, workIdsOf(submit));
    await this.agents.require(submit.appName);
    const run = await followInvocation(this.ports, submit, signal, lastSeen);
    const { invocationId } = run.found;
    noteWork(response, { invocationId });
    this.abandoned.follow(response, { invocationId, ...keyOf(submit) }, endsWithClient);
    response.setHeader('X-Invocation-Id', invocationId);
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
