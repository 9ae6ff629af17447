import { accept, type Outcome } from "../../src/domain/outcome.ts";
import type { ApprovedLaunch } from "../../src/domain/launch/approved-launch.ts";
import type { HelperRunner, HelperRunOptions, HelperRunReason } from "../../src/ports/helper-runner.ts";

export type HelperAnswer = Outcome<Uint8Array, HelperRunReason>;

/** A runner that starts nothing: a test says what each run prints. */
export class FakeHelperRunner implements HelperRunner {
  readonly runs: { readonly launch: ApprovedLaunch; readonly options: HelperRunOptions }[] = [];
  readonly #first = Promise.withResolvers<HelperRunOptions>();
  readonly #answer: (run: number) => HelperAnswer | Promise<HelperAnswer>;

  constructor(answer: (run: number) => HelperAnswer | Promise<HelperAnswer>) {
    this.#answer = answer;
  }

  /** Resolves with the options of the first run, once it was asked for. */
  get started(): Promise<HelperRunOptions> {
    return this.#first.promise;
  }

  async run(launch: ApprovedLaunch, options: HelperRunOptions): Promise<HelperAnswer> {
    options.signal.throwIfAborted();
    this.runs.push({ launch, options });
    this.#first.resolve(options);
    const answer = await this.#answer(this.runs.length);
    options.signal.throwIfAborted();
    return answer;
  }
}

/** A run that printed this. */
export function printed(value: unknown): HelperAnswer {
  return accept(new TextEncoder().encode(JSON.stringify(value)));
}
