import {
  type ArtifactKey,
  type ArtifactVerb,
  type ArtifactVersion,
  artifactVersionSchema,
  type CallPass,
  type FindArtifact,
  type ListArtifacts,
  type RecordArtifact,
  retryTransient,
  subjects,
} from '@skein/contracts';
import { ArtifactMetadata } from '@skein/engine';
import { type RpcClient } from '@skein/messaging';
import { z } from 'zod';

const TIMEOUT_MS = 5_000;
/** So long nobody may answer a tool; after that it is told. */
const PATIENCE_MS = 30_000;

export interface RemoteArtifactOptions {
  /** After so long what is away is not asked again. */
  readonly patienceMs?: number;
  /** The call a worker asks for: only what that may see is answered. */
  readonly pass?: CallPass;
}

/**
 * Artifact versions as session-svc keeps them, over request-reply. What is away is asked again for a while: each verb is
 * repeatable, `record` by its object.
 */
export class RemoteArtifactMetadata extends ArtifactMetadata {
  constructor(
    private readonly rpc: RpcClient,
    private readonly options: RemoteArtifactOptions = {},
  ) {
    super();
  }

  override record(request: RecordArtifact): Promise<ArtifactVersion> {
    return this.#request('record', artifactVersionSchema, request);
  }

  override async find(request: FindArtifact): Promise<ArtifactVersion | undefined> {
    return (await this.#request('find', artifactVersionSchema.nullable(), request)) ?? undefined;
  }

  override list(request: ListArtifacts): Promise<string[]> {
    return this.#request('list', z.array(z.string()), request);
  }

  override versions(request: ArtifactKey): Promise<number[]> {
    return this.#request('versions', z.array(z.number()), request);
  }

  override describe(request: ArtifactKey): Promise<ArtifactVersion[]> {
    return this.#request('describe', z.array(artifactVersionSchema), request);
  }

  override delete(request: ArtifactKey): Promise<string[]> {
    return this.#request('delete', z.array(z.string()), request);
  }

  #request<T>(verb: ArtifactVerb, schema: z.ZodType<T>, body: unknown): Promise<T> {
    const { pass, patienceMs = PATIENCE_MS } = this.options;
    const subject = pass ? subjects.callRpc(`artifact-${verb}`) : subjects.artifactRpc(verb);
    const asked = pass ? { ...pass, request: body } : body;
    return retryTransient(() => this.rpc.request(subject, schema, asked, { timeoutMs: TIMEOUT_MS }), {
      withinMs: patienceMs,
    });
  }
}
