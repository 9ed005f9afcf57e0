import { Body, Controller, Delete, Get, Header, HttpCode, Param, Post, Query } from '@nestjs/common';
import { AdkError, type Part } from '@skein/contracts';
import { ArtifactService, type ArtifactVersion, type LoadArtifact } from '@skein/engine';
import { AgentsFolder } from '../agents-folder';
import { readKey } from '../sessions/read-session-request';
import { readName, readSave, readVersion } from './read-artifact-request';

/** The artifacts of a session and of its user; only to save one, its app has to be there. Routes with more after the name stand before the name alone. */
@Controller('apps/:appName/users/:userId/sessions/:sessionId/artifacts')
export class ArtifactsController {
  constructor(
    private readonly artifacts: ArtifactService,
    private readonly agents: AgentsFolder,
  ) {}

  @Get()
  async list(@Param() params: unknown): Promise<string[]> {
    return this.artifacts.listArtifactKeys(readKey(params));
  }

  @Post()
  @HttpCode(200)
  async save(@Param() params: unknown, @Body() body: unknown): Promise<ArtifactVersion> {
    const request = readSave(params, body);
    await this.agents.require(request.appName);
    const version = await this.artifacts.saveArtifact(request);
    return this.#describe({ ...request, version });
  }

  @Get('*name/versions/metadata')
  async describeAll(@Param() params: unknown): Promise<ArtifactVersion[]> {
    return (await this.artifacts.listArtifactVersions(readName(params))).map(withMetadata);
  }

  @Get('*name/versions/:version/metadata')
  async describe(@Param() params: unknown, @Param('version') version: string): Promise<ArtifactVersion> {
    return this.#describe(readVersion(params, version));
  }

  @Get('*name/versions')
  async versions(@Param() params: unknown): Promise<number[]> {
    return this.artifacts.listVersions(readName(params));
  }

  @Get('*name/versions/:version')
  async loadVersion(@Param() params: unknown, @Param('version') version: string): Promise<Part> {
    return this.#load(readVersion(params, version));
  }

  @Get('*name')
  async load(@Param() params: unknown, @Query('version') version: unknown): Promise<Part> {
    return this.#load(readVersion(params, version));
  }

  /** Answers `null`, as ADK does. */
  @Delete('*name')
  @Header('Content-Type', 'application/json; charset=utf-8')
  async delete(@Param() params: unknown): Promise<string> {
    await this.artifacts.deleteArtifact(readName(params));
    return 'null';
  }

  async #load(request: LoadArtifact): Promise<Part> {
    return found(await this.artifacts.loadArtifact(request));
  }

  async #describe(request: LoadArtifact): Promise<ArtifactVersion> {
    return withMetadata(found(await this.artifacts.getArtifactVersion(request)));
  }
}

/** ADK's clients read the map unasked. */
function withMetadata(version: ArtifactVersion): ArtifactVersion {
  return { customMetadata: {}, ...version };
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new AdkError('not_found', 'artifact.not-found', 'Artifact not found');
  return value;
}
