const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
type EndSignal = (typeof SIGNALS)[number];

/** What a shell answers for a process that a signal ended: 128 and the signal's number. */
const CODE_OF: Readonly<Record<EndSignal, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** Whether somebody asked this process to end. */
export interface EndRequest {
  readonly signal: AbortSignal;
  /** Stops listening; then lets the signal that came do what it does by default. */
  settle(): void;
}

/**
 * Turns the first Ctrl-C (or SIGTERM, SIGHUP) into an abort, so that calls are cancelled and children ended;
 * the second ends the process at once, whatever still runs. Afterwards the process ends by the signal itself,
 * not by a code, so that a shell stops its loop as it would for any program.
 */
export function listenForEnd(): EndRequest {
  const controller = new AbortController();
  let came: EndSignal | undefined;
  const onSignal = (signal: EndSignal): void => {
    // Children see the end of their input, which is how a server learns that its host is gone.
    if (came !== undefined) process.exit(CODE_OF[signal]);
    came = signal;
    controller.abort(new DOMException("the command was interrupted", "AbortError"));
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  return {
    signal: controller.signal,
    settle: () => {
      for (const name of SIGNALS) process.off(name, onSignal);
      if (came === undefined) return;
      process.exitCode = CODE_OF[came];
      // A library that also listens would take the signal, and the process might end by its code before it is
      // raised again. Nothing of ours is left to clean up.
      process.removeAllListeners(came);
      process.kill(process.pid, came);
    },
  };
}
