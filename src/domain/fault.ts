/** A machine fault that no refusal names: a full disk, a broken pipe to the terminal. Closed codes. */
export type HostFaultCode = "audit-failed" | "store-failed" | "config-failed" | "unexpected";

/**
 * Thrown for faults of the machine, never for a decision. The cause is kept for a debugger but is not
 * enumerable, so that printing or serialising the error shows its code alone.
 */
export class HostFault extends Error {
  readonly code: HostFaultCode;

  constructor(code: HostFaultCode, options?: { readonly cause?: unknown }) {
    super(`host fault: ${code}`);
    this.name = "HostFault";
    this.code = code;
    if (options?.cause !== undefined) {
      Object.defineProperty(this, "cause", { value: options.cause, enumerable: false });
    }
  }
}
