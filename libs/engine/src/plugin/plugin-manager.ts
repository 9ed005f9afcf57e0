import { AdkError, type Event } from '@skein/contracts';
import { asError, describeError } from '../error/describe-error';
import { isDivergence } from '../journal/divergence';
import { warn } from '../telemetry/warn';
import { type BasePlugin, hasHook, type HookParams, type PluginHook, type PluginHooks } from './base-plugin';

type AnswerOf<Name extends PluginHook> = Awaited<ReturnType<Required<PluginHooks>[Name]>>;

const CLOSE_TIMEOUT_MS = 5_000;

/** The plugins of one app, in their author's order. */
export class PluginManager {
  readonly #plugins: readonly BasePlugin[];

  /** Throws `plugin.duplicate` when two plugins have one name (B53). */
  constructor(plugins: readonly BasePlugin[] = []) {
    const names = plugins.map(({ name }) => name);
    const duplicate = names.find((name, index) => names.indexOf(name) !== index);
    if (duplicate !== undefined) {
      throw new AdkError('invalid', 'plugin.duplicate', `Two plugins are called "${duplicate}".`);
    }
    this.#plugins = plugins;
  }

  get plugins(): readonly BasePlugin[] {
    return this.#plugins;
  }

  getPlugin(name: string): BasePlugin | undefined {
    return this.#plugins.find((plugin) => plugin.name === name);
  }

  has(hook: PluginHook): boolean {
    return this.#plugins.some((plugin) => hasHook(plugin, hook));
  }

  /** Asks plugin after plugin until one answers; `undefined` and `null` are no answer (B21, B27). None where there is none. */
  first<Name extends PluginHook>(
    hook: Name,
    params: HookParams<Name>,
  ): Promise<AnswerOf<Name> | undefined> | undefined {
    return this.#plugins.length === 0 ? undefined : this.#firstOf(hook, params);
  }

  async #firstOf<Name extends PluginHook>(
    hook: Name,
    params: HookParams<Name>,
  ): Promise<AnswerOf<Name> | undefined> {
    for (const plugin of this.#plugins) {
      // Authors without types say `null`.
      const answer: unknown = await call(plugin, hook, params);
      if (answer !== undefined && answer !== null) return answer as AnswerOf<Name>;
    }
    return undefined;
  }

  /** Tells every plugin that a run was successful; one that throws fails it after all (B52, B53). */
  async notifyEnd(params: HookParams<'afterRunCallback'>): Promise<void> {
    for (const plugin of this.#plugins) await call(plugin, 'afterRunCallback', params);
  }

  /** Tells every plugin of an error. One that fails at it must not hide the error from the others, or from the user. */
  async notifyError<Name extends 'onRunErrorCallback' | 'onAgentErrorCallback'>(
    hook: Name,
    params: HookParams<Name>,
  ): Promise<void> {
    const { invocationId } =
      'invocationContext' in params ? params.invocationContext : params.callbackContext;
    for (const plugin of this.#plugins) {
      try {
        await call(plugin, hook, params);
      } catch (failure) {
        warn(describeError(failure), { plugin: plugin.name, hook, invocationId });
      }
    }
  }

  /**
   * The event as plugins want it shown and stored: what one answers is laid over the original, which stays what it is
   * and whole or partial as it was: that decides whether it is stored (B19, B50).
   */
  async changed(params: HookParams<'onEventCallback'>): Promise<Event> {
    const { event } = params;
    // A copy: what is changed in place and not answered would be shown and never checked.
    const change = await this.first('onEventCallback', { ...params, event: structuredClone(event) });
    if (!change) return event;
    const { id, invocationId, timestamp, partial } = event;
    return { ...event, ...change, id, invocationId, timestamp, partial };
  }

  /** Closes all of them side by side; one that fails or hangs keeps nobody else. Answers what went wrong. */
  async close(timeoutMs = CLOSE_TIMEOUT_MS): Promise<readonly Error[]> {
    const closed = await Promise.allSettled(this.#plugins.map((plugin) => closeInTime(plugin, timeoutMs)));
    return closed.flatMap((outcome) => (outcome.status === 'rejected' ? [asError(outcome.reason)] : []));
  }
}

async function call<Name extends PluginHook>(
  plugin: BasePlugin,
  hook: Name,
  params: HookParams<Name>,
): Promise<AnswerOf<Name> | undefined> {
  if (!hasHook(plugin, hook)) return undefined;
  // Bound here because a hook may be a method; its type is lost in the union of all hooks.
  const callback = plugin[hook].bind(plugin) as (
    params: HookParams<Name>,
  ) => AnswerOf<Name> | Promise<AnswerOf<Name>>;
  try {
    return await callback(params);
  } catch (cause) {
    // Of the run, not of the plugin.
    if (isDivergence(cause)) throw cause;
    throw new AdkError(
      'internal',
      'plugin.failed',
      `Error in plugin '${plugin.name}' during '${hook}' callback: ${describeError(cause)}`,
      { cause },
    );
  }
}

async function closeInTime(plugin: BasePlugin, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const tell = (): void =>
      reject(
        new AdkError('deadline', 'plugin.close', `Plugin '${plugin.name}' did not close in ${timeoutMs} ms.`),
      );
    // eslint-disable-next-line no-restricted-globals -- closing is outside of every run.
    timer = setTimeout(tell, timeoutMs);
  });
  try {
    await Promise.race([plugin.close(), late]);
  } finally {
    clearTimeout(timer);
  }
}
