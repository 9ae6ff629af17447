/**
 * The whole world that `domain`, `ports` and `composition/flows` may see besides ES2023.
 *
 * `tsconfig.inside.json` compiles those folders with `types: []` against this file, so that `process`,
 * `Buffer`, `fetch`, `setTimeout` or `console` do not exist there. Everything below is pure or passive.
 */

interface URLSearchParams extends Iterable<[string, string]> {
  get(name: string): string | null;
  getAll(name: string): string[];
  has(name: string): boolean;
  set(name: string, value: string): void;
  append(name: string, value: string): void;
  delete(name: string): void;
  keys(): IterableIterator<string>;
  toString(): string;
}

interface URL {
  hash: string;
  host: string;
  hostname: string;
  href: string;
  readonly origin: string;
  password: string;
  pathname: string;
  port: string;
  protocol: string;
  search: string;
  readonly searchParams: URLSearchParams;
  username: string;
  toString(): string;
}

declare const URL: {
  new (url: string, base?: string | URL): URL;
  canParse(url: string, base?: string): boolean;
};

declare const URLSearchParams: { new (init?: string): URLSearchParams };

interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

declare const AbortSignal: {
  any(signals: Iterable<AbortSignal>): AbortSignal;
  abort(reason?: unknown): AbortSignal;
};

interface AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}

declare const AbortController: { new (): AbortController };

declare const TextEncoder: { new (): { encode(text: string): Uint8Array } };

declare const TextDecoder: {
  new (
    label?: string,
    options?: { fatal?: boolean; ignoreBOM?: boolean },
  ): {
    decode(bytes?: Uint8Array, options?: { stream?: boolean }): string;
  };
};

declare function structuredClone<Value>(value: Value): Value;

declare function atob(data: string): string;

declare function btoa(data: string): string;
