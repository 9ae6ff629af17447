import type { ActivationStatus } from "../../src/domain/activation/approval.ts";
import {
  type StdioAdapterOptions,
  type StdioConstructOptions,
  createStdioAdapter,
} from "../../src/adapters/mcp-sdk/stdio-adapter.ts";
import type { StdioCarrier } from "../../src/adapters/mcp-sdk/stdio-carrier.ts";
import type { MaterialisedText } from "../../src/domain/definition/definition.ts";
import { FakeClock } from "./fake-clock.ts";
import { type FakeChild, type FakeProcessRunner, fakeProcessRunner } from "./fake-process-runner.ts";
import { type World, smallWorld } from "./launch-world.ts";
import {
  type FakeAuthority,
  approvedStatus,
  fakeAuthority,
  stdioDefinition,
  subjectFor,
} from "./stdio-definition.ts";

export interface FakeChildOptions extends StdioConstructOptions {
  readonly adapter?: Partial<StdioAdapterOptions>;
  readonly env?: ReadonlyMap<string, MaterialisedText>;
  /** Plays the child; default: it hears and says nothing. */
  readonly program?: (child: FakeChild) => void;
  readonly recheck?: () => ActivationStatus;
}

export interface FakeChildCarrier {
  readonly carrier: StdioCarrier;
  readonly runner: FakeProcessRunner;
  readonly authority: FakeAuthority;
  readonly clock: FakeClock;
  readonly world: World;
  /** The child of now; fails before the start. */
  readonly child: () => FakeChild;
  /** What the child was sent, parsed. */
  readonly heard: Record<string, unknown>[];
}

/** A carrier over a child that a test plays, in a world that a test can change. Not started. */
export async function fakeChildCarrier(options: FakeChildOptions = {}): Promise<FakeChildCarrier> {
  const clock = new FakeClock();
  const world = smallWorld();
  const heard: Record<string, unknown>[] = [];
  let current: FakeChild | undefined;
  const runner = fakeProcessRunner((child) => {
    current = child;
    child.onStdin((bytes) => heard.push(JSON.parse(Buffer.from(bytes).toString())));
    options.program?.(child);
  });
  const authority = fakeAuthority({ root: "/work", executable: "/usr/bin/server" });
  const definition = stdioDefinition({ command: "server", ...(options.env && { env: options.env }) });
  const adapter = createStdioAdapter({
    authority,
    runner,
    probe: { look: async (path) => world.get(path) },
    clock,
    ...options.adapter,
  });
  const subject = subjectFor(definition);
  const admitted = await adapter.admit(definition, {
    subject,
    status: approvedStatus(subject),
    ...(options.recheck && { recheck: options.recheck }),
  });
  if (!admitted.ok) throw new Error(`not admitted: ${JSON.stringify(admitted.refusal)}`);
  return {
    carrier: adapter.construct(admitted.value, options),
    runner,
    authority,
    clock,
    world,
    heard,
    child: () => {
      if (current === undefined) throw new Error("not started");
      return current;
    },
  };
}

export function answerLine(id: unknown, result: Record<string, unknown> = {}): string {
  return `${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`;
}

export function notificationLine(method: string, params: Record<string, unknown> = {}): string {
  return `${JSON.stringify({ jsonrpc: "2.0", method, params })}\n`;
}
