import { Controller, Get, Query, Res } from '@nestjs/common';
import { HealthServer, METRICS_TYPE, skeinVersion } from '@skein/platform';
import type { Response } from 'express';
import { AgentsFolder } from './agents-folder';

/** What clients and operators ask before the first turn. */
@Controller()
export class SystemController {
  readonly #version = {
    version: skeinVersion(),
    language: 'typescript',
    language_version: process.versions.node,
  };

  constructor(
    private readonly agents: AgentsFolder,
    private readonly health: HealthServer,
  ) {}

  @Get('health')
  alive() {
    return { status: 'ok' };
  }

  @Get('version')
  version() {
    return this.#version;
  }

  /** Not through the error filter: a probe that waits for the stack to rise is no failure worth a log line. */
  @Get('ready')
  async ready(@Res() response: Response): Promise<void> {
    const { isReady, body } = await this.health.readiness();
    const sentence = 'Not ready: a first turn could not be served';
    const refusal = { detail: sentence, error: sentence, code: 'service.not-ready' };
    response.status(isReady ? 200 : 503).json({ ...(isReady ? {} : refusal), ...body });
  }

  /** Only on loopback; elsewhere configureHttp refuses it. */
  @Get('metrics')
  async figures(@Res() response: Response): Promise<void> {
    response.type(METRICS_TYPE).send(await this.health.metrics.render());
  }

  @Get('list-apps')
  async listApps(@Query('detailed') detailed?: string) {
    const names = await this.agents.names();
    return detailed === 'true' ? { apps: names.map((name) => ({ name, language: 'typescript' })) } : names;
  }
}
