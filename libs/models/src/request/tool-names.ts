/**
 * Names of tools in the form that a provider takes: letters, digits, `_` and `-`, where `form` says no other, and no more
 * than so many. A name in another form, as `files.read` of an MCP server is, goes by one that is like it, the same in each request of a session.
 */
export class ToolNames {
  readonly #sent = new Map<string, string>();
  readonly #meant = new Map<string, string>();

  constructor(
    declared: readonly string[],
    private readonly maxLength: number,
    private readonly form = /^[\w-]+$/,
  ) {
    // What can stay as it is comes first, so that no stand-in takes its place.
    for (const name of declared.filter((one) => this.#canStay(one))) this.#pair(name, name);
    for (const name of declared) this.sent(name);
  }

  /** The name as the provider is told it; of a tool that is not declared too, since a model may have made one up. */
  sent(name: string): string {
    return (
      this.#sent.get(name) ?? this.#pair(name, this.#canStay(name) ? this.#free(name) : this.#likeIt(name))
    );
  }

  /** The name as the engine knows it. */
  meant(sent: string): string {
    return this.#meant.get(sent) ?? sent;
  }

  #canStay(name: string): boolean {
    return name.length <= this.maxLength && this.form.test(name);
  }

  #likeIt(name: string): string {
    const like = name.replaceAll(/[^\w-]/g, '_');
    return this.#free((this.form.test(like) ? like : `_${like}`).slice(0, this.maxLength));
  }

  #free(name: string): string {
    for (let count = 1, free = name; ; count++) {
      if (!this.#meant.has(free)) return free;
      const suffix = `_${count + 1}`;
      free = name.slice(0, this.maxLength - suffix.length) + suffix;
    }
  }

  #pair(name: string, sent: string): string {
    this.#sent.set(name, sent);
    this.#meant.set(sent, name);
    return sent;
  }
}

/** The name that a model calls a tool by. Of none there is no tool either: the model is told so, and the run goes on. */
export function calledName(name: string | null | undefined): string {
  if (!name) return 'unnamed_tool';
  return name;
}
