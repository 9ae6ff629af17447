import assert from "node:assert/strict";
import { test } from "node:test";

import { remotePlace } from "../../../src/domain/gate/remote-place.ts";
import { valueOf } from "../../kit/activation.ts";

const GIVEN = {
  publicUrl: "https://mcp.example.com/mcp",
  issuer: "https://issuer.example.com",
  scopes: ["mcp:use", "mcp:more"],
};

test("R5 the metadata names the resource, its issuer, its scopes and the header, and nothing else", () => {
  const { metadata, metadataPath } = valueOf(remotePlace(GIVEN));

  assert.equal(metadataPath, "/.well-known/oauth-protected-resource/mcp");
  assert.deepEqual(JSON.parse(metadata), {
    resource: "https://mcp.example.com/mcp",
    authorization_servers: ["https://issuer.example.com"],
    scopes_supported: ["mcp:use", "mcp:more"],
    bearer_methods_supported: ["header"],
  });
});

test("R5 challenges hold the error, the place of the metadata and the scopes, and nothing else", () => {
  const where =
    'resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp", scope="mcp:use mcp:more"';

  assert.deepEqual(valueOf(remotePlace(GIVEN)).challenges, {
    noToken: `Bearer ${where}`,
    invalidToken: `Bearer error="invalid_token", ${where}`,
    insufficientScope: `Bearer error="insufficient_scope", ${where}`,
  });
});

for (const [publicUrl, resource, place] of [
  ["https://mcp.example.com", "https://mcp.example.com", "/.well-known/oauth-protected-resource"],
  ["https://mcp.example.com/", "https://mcp.example.com", "/.well-known/oauth-protected-resource"],
  [
    "https://mcp.example.com:8443/a/b",
    "https://mcp.example.com:8443/a/b",
    "/.well-known/oauth-protected-resource/a/b",
  ],
  ["https://mcp.example.com/a/", "https://mcp.example.com/a/", "/.well-known/oauth-protected-resource/a/"],
] as const) {
  test(`R5 the metadata of ${publicUrl} is at ${place}`, () => {
    const made = valueOf(remotePlace({ ...GIVEN, publicUrl }));

    assert.equal(made.metadataPath, place);
    assert.equal(JSON.parse(made.metadata).resource, resource);
  });
}

test("R5 a port that is not the default is part of Host and Origin", () => {
  const { authority } = valueOf(remotePlace({ ...GIVEN, publicUrl: "https://mcp.example.com:8443/mcp" }));

  assert.deepEqual(authority, {
    hosts: ["mcp.example.com:8443"],
    origins: ["https://mcp.example.com:8443"],
  });
});

for (const url of [
  "",
  "mcp.example.com",
  "http://mcp.example.com/mcp",
  "http://127.0.0.1/mcp",
  "ftp://mcp.example.com/mcp",
  "https://user@mcp.example.com/mcp",
  "https://user:word@mcp.example.com/mcp",
  "https://mcp.example.com/mcp?a=b",
  "https://mcp.example.com/mcp?",
  "https://mcp.example.com/mcp#a",
  "https://MCP.example.com/mcp",
  "https://mcp.example.com:443/mcp",
  "https://mcp.example.com/a/../mcp",
  "https://0x7f.1/mcp",
  " https://mcp.example.com/mcp",
  'https://mcp.example.com/m"cp',
  `https://mcp.example.com/${"x".repeat(2_048)}`,
]) {
  test(`R5 nothing is served at ${url.slice(0, 50)}, nor for an issuer of that URL`, () => {
    assert.deepEqual(remotePlace({ ...GIVEN, publicUrl: url }), { ok: false, refusal: "public-url" });
    assert.deepEqual(remotePlace({ ...GIVEN, issuer: url }), { ok: false, refusal: "issuer" });
  });
}

for (const [what, scopes] of [
  ["no scope", []],
  ["an empty scope", [""]],
  ["a scope with a space", ["a b"]],
  ["a scope with a quote", ['a"b']],
  ["65 scopes", Array.from({ length: 65 }, (_, at) => `s${at}`)],
] as const) {
  test(`R5 nothing is served with ${what}`, () => {
    assert.deepEqual(remotePlace({ ...GIVEN, scopes }), { ok: false, refusal: "scopes" });
  });
}

test("R5 64 scopes are taken, and a list that is changed later changes nothing", () => {
  const scopes = Array.from({ length: 64 }, (_, at) => `s${at}`);
  const place = valueOf(remotePlace({ ...GIVEN, scopes }));

  scopes.length = 0;

  assert.equal(place.scopes.length, 64);
});
