import assert from "node:assert/strict";
import test from "node:test";

import { readMessage } from "../../../../src/adapters/mcp-sdk/stdio-message.ts";

const ACCEPTED: readonly (readonly [kind: string, frame: string])[] = [
  ["answer", '{"jsonrpc":"2.0","id":1,"result":{}}'],
  ["answer", '{"jsonrpc":"2.0","id":"a","result":{"x":[1]},"extra":true}'],
  ["answer", '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no","data":{}}}'],
  ["request", '{"jsonrpc":"2.0","id":1,"method":"ping"}'],
  ["request", '{"jsonrpc":"2.0","id":"x","method":"m","params":{}}'],
  ["notification", '{"jsonrpc":"2.0","method":"n"}'],
  ["notification", '{"jsonrpc":"2.0","method":"n","params":{"a":1}}\r'],
];

for (const [kind, frame] of ACCEPTED) {
  test(`X5 ${JSON.stringify(frame)} is read as ${kind}`, () => {
    const incoming = readMessage(Buffer.from(frame));

    assert.equal(incoming?.kind, kind);
    assert.ok(incoming !== undefined && "message" in incoming);
    assert.deepEqual(incoming.message, JSON.parse(frame));
  });
}

const BROKEN_ANSWERS = [
  '{"jsonrpc":"2.0","id":1}',
  '{"jsonrpc":"2.0","id":1,"result":"text"}',
  '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}',
  '{"jsonrpc":"2.0","id":1,"error":{"code":"1","message":""}}',
  '{"jsonrpc":"2.0","id":1,"error":{"code":1}}',
];

for (const frame of BROKEN_ANSWERS) {
  test(`X5 ${JSON.stringify(frame)} is an answer to request 1, and broken`, () => {
    assert.deepEqual(readMessage(Buffer.from(frame)), { kind: "broken-answer", id: 1 });
  });
}

const JUNK = [
  "",
  "\r",
  "Starting server on stdio",
  "build.x done",
  "null",
  "1",
  '"text"',
  "[]",
  '[{"jsonrpc":"2.0","id":1,"result":{}}]',
  "{}",
  '{"jsonrpc":"1.0","id":1,"result":{}}',
  '{"id":1,"result":{}}',
  '{"jsonrpc":"2.0","result":{}}',
  '{"jsonrpc":"2.0","id":null,"result":{}}',
  '{"jsonrpc":"2.0","id":1.5,"result":{}}',
  '{"jsonrpc":"2.0","id":{},"method":"m"}',
  '{"jsonrpc":"2.0","method":1}',
  '{"jsonrpc":"2.0","method":"m","params":[1]}',
  '{"jsonrpc":"2.0","method":"m","params":null}',
  '{"jsonrpc":"2.0","id":1,"result":{}',
  "\ufeff{}",
];

for (const frame of JUNK) {
  test(`X5 ${JSON.stringify(frame)} is not a message`, () => {
    assert.equal(readMessage(Buffer.from(frame)), undefined);
  });
}

test("X5 a frame that is not UTF-8 is not a message, however harmless the rest", () => {
  const frame = Buffer.from('{"jsonrpc":"2.0","id":1,"result":{"t":"?"}}');
  frame[frame.indexOf("?")] = 0xff;

  assert.equal(readMessage(frame), undefined);
});

test("X5 a key called __proto__ changes no prototype", () => {
  const incoming = readMessage(Buffer.from('{"jsonrpc":"2.0","method":"n","__proto__":{"polluted":1}}'));
  assert.ok(incoming?.kind === "notification");

  assert.equal(Object.getPrototypeOf(incoming.message), Object.prototype);
});

test("X5 a message nested a hundred thousand deep is read without an exception", () => {
  const deep = `{"jsonrpc":"2.0","method":"n","params":{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`;

  assert.equal(readMessage(Buffer.from(deep))?.kind, "notification");
});
