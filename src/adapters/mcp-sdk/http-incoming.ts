import { classifyIncoming, type Incoming } from "../../domain/http/message.ts";
import type { CarrierError } from "./carrier.ts";
import type { HttpCall } from "./http-call.ts";
import { sessionError, type HttpLink } from "./http-link.ts";

/** Parses one message; the caller has bounded its length. */
export function readIncoming(text: string, id: string | number | undefined): Incoming {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: "invalid" };
  }
  return classifyIncoming(value, id);
}

export function incomingError(link: HttpLink, call: HttpCall, incoming: Incoming): CarrierError {
  const reason = incoming.kind === "foreign-answer" ? "response-lost" : "invalid-response";
  return sessionError(link, reason, { stage: call.stage });
}
