import { setOwn } from '../json/set-own';
import { APP_PREFIX, TEMP_PREFIX, USER_PREFIX } from './state-scope';

/**
 * The state an author sees: reads go through the layers, the newest first (tool actions, callback actions, session);
 * writes go into the newest layer, which becomes an event's state delta.
 */
export class State {
  static readonly APP_PREFIX = APP_PREFIX;
  static readonly USER_PREFIX = USER_PREFIX;
  static readonly TEMP_PREFIX = TEMP_PREFIX;

  /** @param value what is stored already; @param layers deltas above it, the writable one last. */
  constructor(
    private readonly value: Record<string, unknown>,
    private readonly layers: readonly [Record<string, unknown>, ...Record<string, unknown>[]],
  ) {}

  get<T>(key: string, defaultValue?: T): T | undefined {
    const layer = [...this.layers].reverse().find((delta) => Object.hasOwn(delta, key)) ?? this.value;
    // An author names the type of what he stored under the key; state itself is untyped JSON.
    return Object.hasOwn(layer, key) ? (layer[key] as T) : defaultValue;
  }

  set(key: string, value: unknown): void {
    setOwn(this.delta, key, value);
  }

  has(key: string): boolean {
    return [this.value, ...this.layers].some((layer) => Object.hasOwn(layer, key));
  }

  update(delta: Record<string, unknown>): void {
    for (const [key, value] of Object.entries(delta)) this.set(key, value);
  }

  hasDelta(): boolean {
    return Object.keys(this.delta).length > 0;
  }

  toRecord(): Record<string, unknown> {
    return Object.assign({}, this.value, ...this.layers) as Record<string, unknown>;
  }

  private get delta(): Record<string, unknown> {
    return this.layers.at(-1) ?? this.layers[0];
  }
}
