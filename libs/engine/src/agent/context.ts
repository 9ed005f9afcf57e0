import {
  AdkError,
  type EventActions,
  type Part,
  type SessionKey,
  type ToolConfirmation,
} from '@skein/contracts';
import { type ArtifactService } from '../artifact/artifact-service';
import { type AuthConfig } from '../auth/auth-config';
import { redactAuthConfig } from '../auth/redact-auth-config';
import { createEventActions } from '../event/create-event';
import { type DurableSteps, noDurableSteps } from '../journal/durable-steps';
import { type Frame } from '../journal/frame';
import { setOwn } from '../json/set-own';
import { type SearchMemoryResponse } from '../memory/memory-service';
import { State } from '../state/state';
import { type CallSignal } from './call-signal';
import { type ContextScope } from './context-scope';
import { type InvocationContext } from './invocation-context';
import { noInvocation, ReadonlyContext } from './readonly-context';
import { storableProgress, type ToolReporter } from './tool-reporter';

export interface ContextOptions {
  readonly actions?: EventActions;
  /** The model's id of the call, for tools and tool callbacks. */
  readonly functionCallId?: string;
  /** The same on every attempt of a call and on no other call. */
  readonly idempotencyKey?: string;
  /** What a human said to this very call, when it runs again after he was asked (B33). */
  readonly toolConfirmation?: ToolConfirmation | undefined;
  /** Names what the code itself runs, agents and steps; only in the runner. */
  readonly frame?: Frame;
  /** Where the work may end before the invocation does: with its tool round. */
  readonly signal?: AbortSignal;
  /** What the work itself is given for it, where what listens there is to be let go before the invocation ends. */
  readonly callSignal?: CallSignal;
  /** Where a call tells of itself while it runs; without one nobody listens. */
  readonly reporter?: ToolReporter | undefined;
}

/** What callbacks and tools see: state and artifacts they may change; the changes ride on the event they belong to. */
export class Context extends ReadonlyContext {
  readonly actions: EventActions;
  readonly functionCallId: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly toolConfirmation: ToolConfirmation | undefined;
  /** Names what the code itself runs, agents and steps. @internal */
  readonly frame: Frame | undefined;
  /** Model answers of the agents this tool ran, by name. @internal */
  childAnswers: Readonly<Record<string, number>> | undefined;
  #isAsInWorker = false;
  readonly #state: State;
  /** Made with the first file: most callbacks and tools save none. */
  #saves: Map<string, number> | undefined;
  readonly #signal: AbortSignal;
  readonly #callSignal: CallSignal | undefined;
  readonly #reporter: ToolReporter | undefined;

  constructor(scope: ContextScope, options: ContextOptions = {}) {
    super(scope);
    this.actions = options.actions ?? createEventActions();
    this.functionCallId = options.functionCallId;
    this.idempotencyKey = options.idempotencyKey;
    this.toolConfirmation = options.toolConfirmation;
    this.frame = options.frame;
    this.#state = new State(scope.session.state, [this.actions.stateDelta]);
    this.#signal = options.signal ?? scope.signal;
    this.#callSignal = options.callSignal;
    this.#reporter = options.reporter;
  }

  override get invocationContext(): InvocationContext {
    if (this.#isAsInWorker) throw noInvocation();
    return super.invocationContext;
  }

  override get state(): State {
    return this.#state;
  }

  get eventActions(): EventActions {
    return this.actions;
  }

  /** Aborts on cancel and timeout. */
  get signal(): AbortSignal {
    return this.#callSignal?.signal ?? this.#signal;
  }

  get abortSignal(): AbortSignal {
    return this.signal;
  }

  /** As `signal`, for who takes his listeners away himself: none is made for it. @internal */
  get roundSignal(): AbortSignal {
    return this.#signal;
  }

  /** The scope this context looks at: an InvocationContext in the runner. @internal */
  get contextScope(): ContextScope {
    return this.scope;
  }

  /**
   * Runs a function once and keeps what it gave: a run that goes on after a crash gets that, and the function is not run
   * again. For whatever reaches outside or may come out differently: a charge, a look-up, a choice.
   *
   * The value comes back as JSON keeps it (a Date as text), stored before it is given. What the function throws is
   * kept too, as name, message and code. The same name may be used again; ordinals count in the order of the calls, so
   * steps that run at the same time should have names of their own. Rejects with `step.name`, `step.unserialisable`,
   * `step.no-journal` in a tool worker, where the tool itself is the step.
   *
   * @param name 1 to 200 characters; with its ordinal the step's identity in this agent, callback or tool
   */
  async step<T>(name: string, run: () => Promise<T> | T): Promise<T> {
    return this.#steps.step(name, run);
  }

  /** Milliseconds since the epoch; after a crash the same as before it. Throws `step.no-journal` in a tool worker. */
  now(): number {
    return this.#steps.now();
  }

  /** At least 0 and below 1; after a crash the same as before it. Throws `step.no-journal` in a tool worker. */
  random(): number {
    return this.#steps.random();
  }

  /** A random UUID, version 4; after a crash the same as before it. Throws `step.no-journal` in a tool worker. */
  uuid(): string {
    return this.#steps.uuid();
  }

  /**
   * Shows whoever follows the run in a stream how far this call has got, as a partial event: never stored, not seen by the
   * model, and it may be lost. Of many in a row only the latest is shown, twenty in a second at most. It is a heartbeat
   * too. Throws `tool.progress` for what JSON cannot say or above 64 KiB, `context.no-call` outside of a tool.
   */
  progress(value?: unknown): void {
    this.#callId('progress');
    this.#reporter?.progress(storableProgress(value));
  }

  /** Says that the tool still runs: one with a `heartbeatTimeoutMs` is ended when it is silent for longer. */
  heartbeat(): void {
    this.#callId('heartbeat');
    this.#reporter?.heartbeat();
  }

  /** Runs a tool that is for a worker: it has no steps there, so it has none here. @internal */
  async asInWorker<T>(run: () => Promise<T>): Promise<T> {
    this.#isAsInWorker = true;
    try {
      return await run();
    } finally {
      this.#isAsInWorker = false;
    }
  }

  /** Saves the next version of an artifact and notes it on the event. */
  async saveArtifact(filename: string, artifact: Part): Promise<number> {
    const saveKey = this.#saveKeyOf(filename);
    const version = await this.#artifacts.saveArtifact({
      ...this.#sessionKey,
      filename,
      artifact,
      ...(saveKey !== undefined && { saveKey }),
    });
    setOwn(this.actions.artifactDelta, filename, version);
    return version;
  }

  /** Only a call has a name that its attempts share; a file it saves several times is several versions. */
  #saveKeyOf(filename: string): string | undefined {
    if (this.idempotencyKey === undefined) return undefined;
    const saves = (this.#saves ??= new Map<string, number>());
    const ordinal = saves.get(filename) ?? 0;
    saves.set(filename, ordinal + 1);
    return `${this.idempotencyKey}/${ordinal}/${filename}`;
  }

  /** The latest version, or the one named. */
  async loadArtifact(filename: string, version?: number): Promise<Part | undefined> {
    const versioned = version === undefined ? {} : { version };
    return this.#artifacts.loadArtifact({ ...this.#sessionKey, filename, ...versioned });
  }

  async listArtifacts(): Promise<string[]> {
    return this.#artifacts.listArtifactKeys(this.#sessionKey);
  }

  /** What earlier sessions of this user hold about the query (B61). Rejects with `memory.no-service`. */
  async searchMemory(query: string): Promise<SearchMemoryResponse> {
    if (!this.scope.memoryService) {
      throw new AdkError('unavailable', 'memory.no-service', 'This run has no memory service.');
    }
    return this.scope.memoryService.searchMemory({ appName: this.appName, userId: this.userId, query });
  }

  /**
   * Asks a human whether this call may go on; he is asked once it has ended, and it runs again with what he said in
   * `toolConfirmation` (B34). Only tools can ask.
   */
  requestConfirmation({
    hint = '',
    payload,
  }: { readonly hint?: string; readonly payload?: unknown } = {}): void {
    setOwn<unknown>(this.actions.requestedToolConfirmations, this.#callId('requestConfirmation'), {
      hint,
      confirmed: false,
      ...(payload === undefined ? {} : { payload }),
    });
  }

  /** Asks the user for a credential; the call runs again once it is there (B35). What is secret stays here (B65). */
  requestCredential(authConfig: AuthConfig): void {
    const callId = this.#callId('requestCredential');
    setOwn<unknown>(this.actions.requestedAuthConfigs, callId, redactAuthConfig(authConfig));
  }

  get #steps(): DurableSteps {
    const { frame } = this;
    const steps = this.#isAsInWorker || !frame ? undefined : this.scope.durableStepsIn?.(frame);
    return steps ?? noDurableSteps();
  }

  #callId(method: string): string {
    if (this.functionCallId === undefined) {
      throw new AdkError(
        'invalid',
        'context.no-call',
        `${method} is for tools: there is no call to ask about.`,
      );
    }
    return this.functionCallId;
  }

  get #artifacts(): ArtifactService {
    if (!this.scope.artifactService) {
      throw new AdkError('unavailable', 'artifact.no-service', 'This run has no artifact service.');
    }
    return this.scope.artifactService;
  }

  get #sessionKey(): SessionKey {
    return { appName: this.appName, userId: this.userId, sessionId: this.sessionId };
  }
}
