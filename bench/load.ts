import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** What a load is made of: bytes of whole requests, and the status that each has to be answered with. */
export interface Load {
  readonly port: number;
  /** The same each time, or what to send as request number `index`. */
  readonly request: string | ((index: number) => string);
  readonly status: number;
}

/** Below the 16 requests and 32 connections that a host takes (R8): what is measured is answering, not turning away. */
const CONNECTIONS = 8;

const HEAD_END = "\r\n\r\n";
const LAST_CHUNK = "0\r\n\r\n";

/**
 * Sends a request `count` times over connections that stay open, one at a time on each. Plain sockets and no client: what
 * is spent here is the same for every server, and little.
 */
export async function sendLoad(load: Load, count: number): Promise<void> {
  const left = { count };
  await Promise.all(Array.from({ length: CONNECTIONS }, () => converse(load, left)));
}

async function converse({ port, request, status }: Load, left: { count: number }): Promise<void> {
  const socket = connect(port, "127.0.0.1").setNoDelay(true).setEncoding("latin1");
  await once(socket, "connect");
  try {
    while (left.count > 0) {
      left.count -= 1;
      socket.write(typeof request === "string" ? request : request(left.count));
      const answer = await readAnswer(socket);
      if (!answer.startsWith(`HTTP/1.1 ${status} `)) throw new Error(`answered: ${answer.slice(0, 200)}`);
      if (answer.includes('"error"')) throw new Error("a call failed");
    }
  } finally {
    socket.destroy();
  }
}

function readAnswer(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const settle = (done: () => void): void => {
      socket.off("data", onData).off("close", onClose);
      done();
    };
    const onData = (chunk: string): void => {
      text += chunk;
      if (isWhole(text)) settle(() => resolve(text));
    };
    const onClose = (): void => settle(() => reject(new Error("the connection closed")));
    socket.on("data", onData).on("close", onClose);
  });
}

function isWhole(text: string): boolean {
  const headEnd = text.indexOf(HEAD_END);
  if (headEnd === -1) return false;
  const [, length] = /\r\ncontent-length: (\d+)\r\n/i.exec(text.slice(0, headEnd + 2)) ?? [];
  if (length !== undefined) return text.length >= headEnd + HEAD_END.length + Number(length);
  return text.endsWith(LAST_CHUNK);
}
