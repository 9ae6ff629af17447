import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

import { judgeBodyCodings } from "../../domain/gate/body-codings.ts";
import type { RequestHead } from "../../domain/gate/request-head.ts";
import {
  EXPECTATION_FAILED,
  HEAD_TOO_LARGE,
  MALFORMED_REQUEST,
  NOT_POST,
  REQUEST_TIMEOUT,
  type TurnedAway,
} from "../../domain/gate/turned-away.ts";
import type { GateAnswer, HttpGate } from "../../ports/http-gate.ts";
import type { AdmittedCalls } from "./admitted-calls.ts";
import { writeRawTurnedAway, writeTurnedAway } from "./turn-away.ts";

/** Takes each request past the gate, and sees to it that everything turned away is answered and told once. */
export class HttpConversation {
  readonly #gate: HttpGate;
  readonly #calls: AdmittedCalls;
  readonly #dropLimitBytes: number;
  /** The request that is being answered on a socket. */
  readonly #current: WeakMap<Duplex, ServerResponse> = new WeakMap();
  /** The last request of a socket, answered or not: its body may still be on its way. */
  readonly #last: WeakMap<Duplex, IncomingMessage> = new WeakMap();

  constructor(
    gate: HttpGate,
    { calls, dropLimitBytes }: { readonly calls: AdmittedCalls; readonly dropLimitBytes: number },
  ) {
    this.#gate = gate;
    this.#calls = calls;
    this.#dropLimitBytes = dropLimitBytes;
  }

  /** Resolves when the request was dealt with; never rejects. */
  async answer(
    request: IncomingMessage,
    response: ServerResponse,
    { expects }: { readonly expects: "nothing" | "continue" | "other" },
  ): Promise<void> {
    const { socket } = request;
    if (socket.destroyed || !this.#begin(request, response)) return;
    const controller = new AbortController();
    const { signal } = controller;
    response.once("close", () => {
      if (!response.writableFinished) controller.abort();
    });
    try {
      const judged = this.#gate.judge(headOf(request), { peer: socket.remoteAddress, signal });
      const answer = judged instanceof Promise ? await judged : judged;
      if (signal.aborted) return;
      const turnedAway = expects === "other" ? EXPECTATION_FAILED : undefined;
      await this.#follow(answer.kind === "turned-away" ? answer : (turnedAway ?? answer), {
        request,
        response,
        signal,
        awaitsContinue: expects === "continue",
      });
    } catch {
      // The gate rejects when the client is gone; nobody is left to answer.
      response.destroy();
    }
  }

  async #follow(
    answer: GateAnswer,
    call: {
      readonly request: IncomingMessage;
      readonly response: ServerResponse;
      readonly signal: AbortSignal;
      readonly awaitsContinue: boolean;
    },
  ): Promise<void> {
    const { request, response } = call;
    switch (answer.kind) {
      case "turned-away":
        return this.#turnAway(request, response, answer);
      case "document":
        return writeDocument(request, response, answer.json);
      case "admitted": {
        const turnedAway =
          judgeBodyCodings(headOf(request)) ?? (await this.#calls.serve({ ...call, admitted: answer }));
        if (turnedAway !== undefined) this.#turnAway(request, response, turnedAway);
      }
    }
  }

  /**
   * A tunnel is a method like any other that is not POST: judged by its head, and never let in. Node has let go of the
   * socket, and what breaks on it, or ends it, is heard here alone.
   */
  async refuseTunnel(request: IncomingMessage, socket: Duplex): Promise<void> {
    const from = { peer: request.socket.remoteAddress, head: headOf(request) };
    const gone = new AbortController();
    socket.on("error", () => socket.destroy()).once("close", () => gone.abort());
    if (this.#current.has(socket)) {
      // Behind a request that is not answered yet: an answer would be read as a part of that one's.
      this.#gate.turnedAway(MALFORMED_REQUEST.reason, { peer: from.peer });
      socket.destroy();
      return;
    }
    try {
      const answer = await this.#gate.judge(from.head, { peer: from.peer, signal: gone.signal });
      if (gone.signal.aborted) return;
      const turnedAway = answer.kind === "turned-away" ? answer : NOT_POST;
      this.#gate.turnedAway(turnedAway.reason, from);
      writeRawTurnedAway(socket, turnedAway);
    } catch {
      // The gate rejects when the client is gone; nobody is left to answer.
      socket.destroy();
    }
  }

  /** What Node could not read as a request, or did not get in time. */
  refuseSocket(socket: Duplex, code: string | undefined): void {
    const turnedAway = judgeFault(code);
    // What was answered already was told already, and a second answer would be read as a part of the first.
    const answered = this.#current.get(socket)?.headersSent ?? this.#last.get(socket)?.complete === false;
    if (turnedAway === undefined || answered) {
      socket.destroy();
      return;
    }
    this.#gate.turnedAway(turnedAway.reason, { peer: addressOf(socket) });
    writeRawTurnedAway(socket, turnedAway);
  }

  noteDropped(peer: string | undefined): void {
    this.#gate.turnedAway("too-many-connections", { peer });
  }

  /**
   * One request at a time on a socket. No client of MCP sends a second one before the answer, and whoever does could
   * have any number judged at once on one connection: the connection ends, and what else it held is not looked at.
   */
  #begin(request: IncomingMessage, response: ServerResponse): boolean {
    const { socket } = request;
    if (this.#current.has(socket)) {
      this.#gate.turnedAway(MALFORMED_REQUEST.reason, { peer: socket.remoteAddress });
      socket.destroy();
      return false;
    }
    this.#current.set(socket, response);
    this.#last.set(socket, request);
    const end = (): void => void this.#current.delete(socket);
    response.once("finish", end).once("close", end);
    return true;
  }

  #turnAway(request: IncomingMessage, response: ServerResponse, turnedAway: TurnedAway): void {
    this.#gate.turnedAway(turnedAway.reason, { peer: request.socket.remoteAddress, head: headOf(request) });
    writeTurnedAway(request, response, { turnedAway, dropLimitBytes: this.#dropLimitBytes });
  }
}

function headOf({ method = "", url = "", rawHeaders }: IncomingMessage): RequestHead {
  return { method, target: url, rawHeaders };
}

function writeDocument(request: IncomingMessage, response: ServerResponse, json: string): void {
  const body = Buffer.from(json);
  response.writeHead(200, {
    "content-type": "application/json",
    "cache-control": "no-store",
    "content-length": String(body.length),
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

/** By Node's codes. `undefined`: the connection broke, and there is nothing to tell. */
function judgeFault(code: string | undefined): TurnedAway | undefined {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return REQUEST_TIMEOUT;
  if (code === "HPE_HEADER_OVERFLOW") return HEAD_TOO_LARGE;
  // The client went away in the middle.
  if (code === "HPE_INVALID_EOF_STATE") return undefined;
  return code?.startsWith("HPE_") === true ? MALFORMED_REQUEST : undefined;
}

/** Every socket of the listener is one of the network, which Node's types do not say here. */
function addressOf(socket: Duplex): string | undefined {
  return "remoteAddress" in socket && typeof socket.remoteAddress === "string"
    ? socket.remoteAddress
    : undefined;
}
