import assert from "node:assert/strict";
import { test } from "node:test";

import { buildServerCatalog } from "../../../src/domain/catalog/build-server-catalog.ts";
import { catalogName } from "../../../src/domain/catalog/tool-name.ts";

test("K2 a prompt is adopted with its arguments", () => {
  const prompts = [
    {
      name: "ask",
      title: "Ask",
      arguments: [{ name: "q", description: "what", required: true }, { name: "n" }],
    },
  ];

  assert.deepEqual(buildServerCatalog({ serverId: "srv", prompts }).prompts, [
    {
      name: "srv__ask",
      serverId: "srv",
      sourceName: "ask",
      bucket: "adopted",
      reasons: [],
      title: "Ask",
      description: undefined,
      arguments: [
        { name: "q", description: "what", required: true },
        { name: "n", description: undefined, required: false },
      ],
    },
  ]);
});

test("K2 arguments of a prompt that are none are dropped one by one, with their places", () => {
  const args = [{ name: "a" }, { name: 7 }, null, { name: "a" }, { name: "b", description: "x\u202E" }];
  const [prompt] = buildServerCatalog({
    serverId: "srv",
    prompts: [{ name: "ask", arguments: args }],
  }).prompts;

  assert.deepEqual(
    prompt?.arguments.map((argument) => argument.name),
    ["a", "b"],
  );
  assert.deepEqual(prompt?.reasons, [
    { reason: "argument-dropped", path: "/arguments/1" },
    { reason: "argument-dropped", path: "/arguments/2" },
    { reason: "argument-dropped", path: "/arguments/3" },
    { reason: "text-cleaned", path: "/arguments/4/description" },
  ]);
});

test("K2 arguments of a prompt that are no list are dropped with a reason", () => {
  const [prompt] = buildServerCatalog({ serverId: "srv", prompts: [{ name: "ask", arguments: {} }] }).prompts;

  assert.deepEqual(prompt?.reasons, [{ reason: "argument-dropped", path: "/arguments" }]);
});

test("K2 a prompt has at most 256 arguments", () => {
  const args = Array.from({ length: 300 }, (_, index) => ({ name: `a${index}` }));
  const [prompt] = buildServerCatalog({
    serverId: "srv",
    prompts: [{ name: "ask", arguments: args }],
  }).prompts;

  assert.equal(prompt?.arguments.length, 256);
  assert.deepEqual(prompt.reasons, [{ reason: "argument-dropped", path: "/arguments/256" }]);
});

test("K2 resources and templates are admitted under names made of their URIs", () => {
  const server = buildServerCatalog({
    serverId: "srv",
    resources: [
      { uri: "file:///a", name: "same", mimeType: "text/plain" },
      { uri: "file:///b", name: "same" },
    ],
    resourceTemplates: [{ uriTemplate: "file:///{x}", name: "any" }],
  });

  assert.deepEqual(server.rejected, []);
  assert.deepEqual(
    server.resources.map(({ kind, name, uri, sourceName, mimeType }) => [
      kind,
      name,
      uri,
      sourceName,
      mimeType,
    ]),
    [
      ["resource", catalogName("srv", "resource", "file:///a"), "file:///a", "same", "text/plain"],
      ["resource", catalogName("srv", "resource", "file:///b"), "file:///b", "same", undefined],
      ["template", catalogName("srv", "template", "file:///{x}"), "file:///{x}", "any", undefined],
    ],
  );
});

test("K2 a resource without a usable URI is rejected, an equal URI twice as well", () => {
  const server = buildServerCatalog({
    serverId: "srv",
    resources: [
      { name: "none" },
      { uri: "" },
      { uri: `x:${"a".repeat(8191)}` },
      { uri: "x:twice", name: "1" },
      { uri: "x:twice", name: "2" },
      { uri: `x:${"a".repeat(8190)}`, name: "longest" },
    ],
  });

  assert.deepEqual(
    server.rejected.map(({ reason }) => reason),
    ["uri-missing", "uri-missing", "uri-too-long", "duplicate", "duplicate"],
  );
  assert.deepEqual(
    server.resources.map(({ sourceName }) => sourceName),
    ["longest"],
  );
});
