import type {
  AgentOutcome,
  AgentSession,
  AgentTool,
  InvocationOptions,
} from "../../src/ports/agent-session.ts";
import type { Random } from "../../src/ports/random.ts";

type Invoke = (
  args: { readonly [key: string]: unknown },
  options: InvocationOptions,
) => Promise<AgentOutcome> | AgentOutcome;

/** A session of plain functions, one a tool. What it was asked to do stands in `invoked`. */
export interface FakeAgentSession extends AgentSession {
  readonly invoked: {
    readonly toolName: string;
    readonly args: unknown;
    readonly options: InvocationOptions;
  }[];
  /** Replaces the list of tools, and tells whoever listens. */
  change(tools: readonly AgentTool[]): void;
  listeners(): number;
}

export function fakeTool(name: string, more: Partial<AgentTool> = {}): AgentTool {
  return { name, description: `The tool ${name}`, inputSchema: { type: "object" }, ...more };
}

export function createFakeAgentSession(
  tools: { readonly [name: string]: Invoke },
  options: {
    readonly listed?: readonly AgentTool[];
    readonly submit?: (prompt: string, options: InvocationOptions) => Promise<AgentOutcome>;
  } = {},
): FakeAgentSession {
  let listed = options.listed ?? Object.keys(tools).map((name) => fakeTool(name));
  const listeners = new Set<() => void>();
  const invoked: FakeAgentSession["invoked"] = [];
  return {
    invoked,
    tools: () => Promise.resolve(listed),
    invoke: async (toolName, args, invocation) => {
      invoked.push({ toolName, args, options: invocation });
      const outcome = await tools[toolName]?.(args, invocation);
      return outcome ?? { status: "unknown-tool" };
    },
    ...(options.submit !== undefined && { submit: options.submit }),
    onToolsChanged: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change: (next) => {
      listed = next;
      for (const listener of listeners) listener();
    },
    listeners: () => listeners.size,
  };
}

/** Different bytes each time, the same in each run. */
export function createCountingRandom(): Random {
  let next = 0;
  return {
    bytes: (count) => {
      next += 1;
      return new Uint8Array(count).fill(next);
    },
  };
}

export function completed(text: string): AgentOutcome {
  return { status: "completed", content: [{ type: "text", text }] };
}

/** Settles when the signal aborts; how a tool behaves that does nothing but wait. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
