import type { ActivationStatus } from "../../domain/activation/approval.ts";
import { type ServerDefinition, type StdioMaterial, materialOf } from "../../domain/definition/definition.ts";
import { secretsOf } from "../../domain/definition/known-secrets.ts";
import type { ApprovedLaunch } from "../../domain/launch/approved-launch.ts";
import { type ActivationAnswer, checkActivation } from "../../domain/launch/check-activation.ts";
import { checkLaunch, recheckLaunch } from "../../domain/launch/check.ts";
import { type StdioRefusal, stdioRefusal } from "../../domain/launch/refusal.ts";
import { type Outcome, accept, refuse } from "../../domain/outcome.ts";
import type { Clock } from "../../ports/clock.ts";
import type { FileProbe, ProcessRunner } from "../../ports/process-runner.ts";
import type { StdioAuthority } from "../../ports/stdio-authority.ts";
import { createServerWords } from "./server-words.ts";
import { type StdioCarrier, createStdioCarrier } from "./stdio-carrier.ts";
import { DEFAULT_STDIO_LIMITS, type StdioLimits } from "./stdio-limits.ts";
import { createStderrReader } from "./stdio-stderr.ts";

export interface StdioAdapterOptions {
  /** Decides what may be executed (X1). A definition never does. */
  readonly authority: StdioAuthority;
  readonly runner: ProcessRunner;
  readonly probe: FileProbe;
  readonly clock: Clock;
  /** Bounds that differ from {@link DEFAULT_STDIO_LIMITS}. */
  readonly limits?: Partial<StdioLimits>;
  /** Gets each line of stderr, cleaned and masked (X5). Absent: only a byte count is kept. */
  readonly stderr?: (line: string, serverId: string) => void;
}

/** An activation for one definition, and how to ask again right before the spawn (X3). */
export interface StdioActivation extends ActivationAnswer {
  /** Absent: the status of admission is taken for the one of the spawn. */
  readonly recheck?: () => ActivationStatus | Promise<ActivationStatus>;
}

declare const ADMITTED: unique symbol;

/** Proof that one definition passed every check of X2. Good for any number of carriers of its own adapter. */
export interface StdioAdmission {
  readonly [ADMITTED]: true;
  readonly serverId: string;
  readonly fingerprint: string;
}

export interface StdioConstructOptions {
  /**
   * What cancelling a request does (X6). `close` (default) ends the child, which is certain; `notify` sends
   * `notifications/cancelled`, which a server may ignore.
   */
  readonly cancel?: "close" | "notify";
}

export interface StdioAdapter {
  /** Checks in the order of X2; starts nothing. Refusals: see `StdioReason`. */
  admit(
    definition: ServerDefinition,
    activation: StdioActivation,
  ): Promise<Outcome<StdioAdmission, StdioRefusal>>;
  /**
   * Makes a carrier that checks once more and spawns when it is started (X3). Throws a `TypeError` for an
   * admission that this adapter did not make.
   */
  construct(admission: StdioAdmission, options?: StdioConstructOptions): StdioCarrier;
}

interface Admitted {
  readonly definition: ServerDefinition;
  readonly activation: StdioActivation;
  readonly launch: ApprovedLaunch;
  readonly generation: string;
  readonly secrets: readonly string[];
}

/** Makes carriers over child processes: `admit` decides, `construct` builds, `start()` spawns. */
export function createStdioAdapter(options: StdioAdapterOptions): StdioAdapter {
  const admissions = new WeakMap<StdioAdmission, Admitted>();
  const limits = { ...DEFAULT_STDIO_LIMITS, ...options.limits };
  return {
    admit: async (definition, activation) => {
      const admitted = await admit(definition, { activation, options });
      if (!admitted.ok) return admitted;
      // `as`: the one place that brands; the proof itself is the entry in the map.
      const admission = Object.freeze({
        serverId: definition.name,
        fingerprint: definition.fingerprint,
      }) as StdioAdmission;
      admissions.set(admission, admitted.value);
      return accept(admission);
    },
    construct: (admission, { cancel = "close" } = {}) => {
      const admitted = admissions.get(admission);
      if (admitted === undefined) throw new TypeError("not an admission of this adapter");
      const { clock, stderr: sink } = options;
      const { definition, secrets } = admitted;
      return createStdioCarrier({
        recheck: () => recheckAll(admitted, options),
        spawn: (signal) => options.runner.run(admitted.launch, { signal }),
        clock,
        limits,
        cancel,
        words: createServerWords(secrets),
        stderr: createStderrReader({
          sink: sink && ((line) => sink(line, definition.name)),
          secrets,
          clock,
          rate: limits.stderrLines,
        }),
      });
    },
  };
}

async function admit(
  definition: ServerDefinition,
  { activation, options }: { readonly activation: StdioActivation; readonly options: StdioAdapterOptions },
): Promise<Outcome<Admitted, StdioRefusal>> {
  if (definition.transport !== "stdio") return refuse(stdioRefusal("invalid-input", "not-stdio"));
  const active = checkActivation(definition, activation);
  if (!active.ok) return active;
  if (definition.unsetVariables.length > 0) return refuse(stdioRefusal("invalid-input", "unset-variable"));
  const material = materialOf(definition);
  if (material.transport !== "stdio") return refuse(stdioRefusal("invalid-input", "not-stdio"));
  const request = requestOf(definition, material);
  const granted = await options.authority.decide(request);
  if (!granted.ok) return granted;
  const grant = granted.value;
  const launch = await checkLaunch({
    request,
    grant,
    look: (path) => options.probe.look(path),
    values: () => material.env,
  });
  if (!launch.ok) return launch;
  const { generation } = grant;
  return accept({
    definition,
    activation,
    launch: launch.value,
    generation,
    secrets: secretsOf(definition),
  });
}

/** Keys of the environment only: its values are read after the authority said yes (X1). */
function requestOf(
  definition: ServerDefinition,
  material: StdioMaterial,
): Parameters<StdioAuthority["decide"]>[0] {
  return {
    serverId: definition.name,
    fingerprint: definition.fingerprint,
    command: material.command.text,
    args: material.args.map(({ text }) => text),
    cwd: material.cwd?.text,
    envKeys: [...material.env.keys()],
  };
}

/** X3: all that may have changed since admission, looked at again. The spawn comes right behind it. */
async function recheckAll(
  { definition, activation, launch, generation }: Admitted,
  { authority, probe }: StdioAdapterOptions,
): Promise<Outcome<true, StdioRefusal>> {
  const { subject, recheck } = activation;
  const status = recheck === undefined ? activation.status : await recheck();
  const active = checkActivation(definition, { subject, status });
  if (!active.ok) return active;
  if ((await authority.generation()) !== generation) {
    return refuse(stdioRefusal("authority", "generation-changed"));
  }
  return recheckLaunch(launch, (path) => probe.look(path));
}
