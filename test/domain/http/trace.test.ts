import assert from "node:assert/strict";
import { test } from "node:test";

import { parseTraceContext, traceHeaders } from "../../../src/domain/http/trace.ts";

const PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const TRACE = { traceparent: PARENT, tracestate: "vendor=1,other@sys=2" };
const ORIGIN = "https://mcp.example";
const listed = { method: "tools/call", origin: ORIGIN, origins: new Set([ORIGIN]) };

test("H5 a trace context of W3C's form is read whole", () => {
  assert.deepEqual(parseTraceContext(PARENT, TRACE.tracestate), TRACE);
  assert.deepEqual(parseTraceContext(PARENT, undefined), { traceparent: PARENT });
});

const MALFORMED = [
  "",
  "x",
  PARENT.toUpperCase(),
  `${PARENT} `,
  `${PARENT}\r\nx: y`,
  PARENT.replace(/^00/, "ff"),
  PARENT.replace("0af7651916cd43dd8448eb211c80319c", "0".repeat(32)),
  PARENT.replace("b7ad6b7169203331", "0".repeat(16)),
  `${PARENT}-00`,
];

for (const traceparent of MALFORMED) {
  test(`H5 ${JSON.stringify(traceparent)} is no traceparent`, () => {
    assert.equal(parseTraceContext(traceparent, TRACE.tracestate), undefined);
  });
}

const member = (index: number): string => `k${index}=v`;
const STATES = [
  { name: "32 members", state: Array.from({ length: 32 }, (_, i) => member(i)).join(","), kept: true },
  { name: "33 members", state: Array.from({ length: 33 }, (_, i) => member(i)).join(","), kept: false },
  { name: "512 characters", state: `${`a=${"v".repeat(250)},`.repeat(2)}b=${"v".repeat(4)}`, kept: true },
  { name: "513 characters", state: `${`a=${"v".repeat(250)},`.repeat(2)}b=${"v".repeat(5)}`, kept: false },
  { name: "spaces around members", state: "a=1 , b=2", kept: true },
  { name: "no equals sign", state: "vendor", kept: false },
  { name: "an upper-case key", state: "Vendor=1", kept: false },
  { name: "a line break", state: "a=1\r\nb: c", kept: false },
  { name: "an empty value", state: "a=", kept: false },
];

for (const { name, state, kept } of STATES) {
  test(`H5 a tracestate with ${name} is ${kept ? "kept" : "left out alone"}`, () => {
    const expected = kept ? { traceparent: PARENT, tracestate: state } : { traceparent: PARENT };
    assert.deepEqual(parseTraceContext(PARENT, state), expected);
  });
}

test("H5 a tool call towards a listed origin carries both headers", () => {
  assert.deepEqual(traceHeaders(TRACE, listed), Object.entries(TRACE));
  assert.deepEqual(traceHeaders({ traceparent: PARENT }, listed), [["traceparent", PARENT]]);
});

test("H5 nothing is carried by another method, towards another origin, or without a context", () => {
  assert.deepEqual(traceHeaders(TRACE, { ...listed, method: "tools/list" }), []);
  assert.deepEqual(traceHeaders(TRACE, { ...listed, origin: `${ORIGIN}:8443` }), []);
  assert.deepEqual(traceHeaders(TRACE, { ...listed, origins: new Set([`${ORIGIN}/`, "*"]) }), []);
  assert.deepEqual(traceHeaders(undefined, listed), []);
});
