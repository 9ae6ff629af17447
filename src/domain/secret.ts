/** The value every printed form of a {@link Secret} shows. */
const SHOWN = "[secret]";

/**
 * A value that must not surface: it prints as `[secret]` in `toString`, `JSON.stringify`, template
 * strings and `util.inspect`, and gives itself up only to `reveal()`.
 *
 * `reveal()` is called in a short list of adapter files (the place where the value leaves for its
 * destination), which an architecture test pins.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  /** The value behind a public text, such as `Bearer `, still as a secret. */
  withPrefix(prefix: string): Secret {
    return new Secret(`${prefix}${this.#value}`);
  }

  toString(): string {
    return SHOWN;
  }

  toJSON(): string {
    return SHOWN;
  }

  static {
    // Node prints objects through this symbol; naming it by its registry key needs no Node import.
    const inspect = Symbol.for("nodejs.util.inspect.custom");
    Object.defineProperty(Secret.prototype, inspect, { value: () => SHOWN });
  }
}
