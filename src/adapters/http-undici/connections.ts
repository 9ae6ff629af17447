import type { Socket } from "node:net";

import { Client } from "undici";

import type { Dialled } from "./dial.ts";

/** One socket with undici's HTTP/1.1 machinery on it. When the socket ends, so does the connection. */
export interface Connection {
  readonly client: Client;
  readonly socket: Socket;
  readonly origin: string;
  /** The checked address at the other end. */
  readonly address: string;
}

/** Idle sockets kept for one origin. More calls than this at once pay for new connections afterwards. */
const MOST_IDLE = 64;
/** An idle socket is closed after this, or earlier where the server announces less (Keep-Alive header). */
const IDLE_MS = 4_000;
const LONGEST_IDLE_MS = 600_000;

/**
 * The open connections of one egress. An idle one is handed out again only to an exchange whose own fresh
 * check holds its address (E6): reuse never outlives the answer of DNS that allowed it.
 */
export class Connections {
  readonly #open = new Set<Connection>();
  readonly #idle = new Map<string, Connection[]>();

  take(origin: string, isChecked: (address: string) => boolean): Connection | undefined {
    const idle = this.#idle.get(origin) ?? [];
    const index = idle.findLastIndex(({ address }) => isChecked(address));
    return index === -1 ? undefined : idle.splice(index, 1)[0];
  }

  add(origin: string, { socket, address }: Dialled): Connection {
    const connection: Connection = { client: clientOn(origin, socket), socket, origin, address };
    this.#open.add(connection);
    connection.client.once("disconnect", () => this.destroy(connection));
    return connection;
  }

  /** Makes a connection whose exchange is complete available again. */
  giveBack(connection: Connection): void {
    if (!this.#open.has(connection)) return;
    const idle = this.#idle.get(connection.origin) ?? [];
    this.#idle.set(connection.origin, idle);
    idle.push(connection);
    const oldest = idle.length > MOST_IDLE ? idle[0] : undefined;
    if (oldest !== undefined) this.destroy(oldest);
  }

  destroy(connection: Connection): void {
    void this.#release(connection);
  }

  async destroyAll(): Promise<void> {
    await Promise.all([...this.#open].map((connection) => this.#release(connection)));
  }

  async #release(connection: Connection): Promise<void> {
    this.#open.delete(connection);
    const idle = this.#idle.get(connection.origin);
    const index = idle?.indexOf(connection) ?? -1;
    if (index !== -1) idle?.splice(index, 1);
    if (idle?.length === 0) this.#idle.delete(connection.origin);
    const gone = connection.client.destroy();
    // undici takes hold of the socket with the first request; before that, nobody else would close it.
    connection.socket.destroy();
    await gone;
  }
}

/**
 * An undici client on a socket that is connected already. When undici asks again, it gets the same socket,
 * finds it dead and fails what waits for it: only a fresh check of addresses may open another.
 */
function clientOn(origin: string, socket: Socket): Client {
  return new Client(origin, {
    // Later, not now: undici ignores what a connector answers while it is still asking.
    connect: (_options, callback) => queueMicrotask(() => callback(null, socket)),
    pipelining: 1,
    allowH2: false,
    // Said aloud, since UNDICI_USE_MILO in the environment would choose another parser.
    useMilo: false,
    // Our own deadlines run on the Clock port; a body may be silent for days (event streams).
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: LONGEST_IDLE_MS,
  });
}
