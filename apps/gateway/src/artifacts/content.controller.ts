import { Controller, Get, Param, Put, Query, Req, Res } from '@nestjs/common';
import { AdkError } from '@skein/contracts';
import { ArtifactContents, type ContentVersion } from '@skein/artifact-store';
import type { Request, Response } from 'express';
import { AgentsFolder } from '../agents-folder';
import { Ending } from '../run/ending';
import { ContentLimits } from './content-limits';
import { bodyOf } from './content-body';
import { contentHeaders, LINK_SECONDS } from './content-headers';
import { isUnchanged, rangeOf } from './content-range';
import { readContent, readLinkWish } from './read-content-request';
import { readVersion } from './read-artifact-request';
import { sendContent } from './send-content';

/** The bytes of an artifact's version as they are, streamed both ways: neither side is ever whole in memory. */
@Controller('apps/:appName/users/:userId/sessions/:sessionId/artifacts/*name/versions/:version/content')
export class ContentController {
  constructor(
    private readonly contents: ArtifactContents,
    private readonly agents: AgentsFolder,
    private readonly limits: ContentLimits,
    private readonly ending: Ending,
  ) {}

  /** The same bytes under the same number are the same version, so whoever heard no answer sends them again. */
  @Put()
  async save(
    @Param() params: unknown,
    @Param('version') version: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ContentVersion> {
    const { limitBytes, idleMs } = this.limits;
    const wanted = readContent(readVersion(params, version), request.headers, limitBytes);
    await this.agents.require(wanted.appName);
    const body = bodyOf(request, { idleMs, signal: this.ending.signal });
    return this.limits.uploading(`${wanted.appName}/${wanted.userId}`, async () => {
      const saved = await this.contents.save({ ...wanted, limitBytes }, body);
      response.setHeader('ETag', `"${saved.sha256}"`);
      return saved;
    });
  }

  /** With `?redirect=true` it answers where the bytes can be had without us, if the object store can be asked for them. */
  @Get()
  async load(
    @Param() params: unknown,
    @Param('version') version: string,
    @Query('redirect') redirect: unknown,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const wantsLink = readLinkWish(redirect);
    const found = await this.contents.find(readVersion(params, version));
    if (!found) throw new AdkError('not_found', 'artifact.not-found', 'Artifact not found');
    const { mimeType, disposition, headers } = contentHeaders(found.version);
    const link =
      wantsLink && request.method === 'GET'
        ? await found.link({ expiresInSeconds: LINK_SECONDS, mimeType, contentDisposition: disposition })
        : undefined;
    if (link !== undefined) {
      redirectTo(response, link);
      return;
    }
    if (isUnchanged(request.headers, found.version.sha256)) {
      response
        .status(304)
        .setHeaders(new Map(Object.entries(headers)))
        .end();
      return;
    }
    const isHead = request.method === 'HEAD';
    await sendContent(response, found, {
      headers,
      range: isHead ? undefined : rangeOf(request.headers, found.version),
      isHead,
      stallMs: this.limits.idleMs,
      signal: this.ending.signal,
    });
  }
}

/** An address that anybody may use is not to be kept or passed on. */
function redirectTo(response: Response, link: string): void {
  response.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer', Location: link });
  response.status(307).end();
}
