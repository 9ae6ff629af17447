import assert from "node:assert/strict";
import { test } from "node:test";

import { canonicalResource, isParentResource } from "../../../src/domain/oauth/canonical-url.ts";
import { isSecureEndpoint, mayName } from "../../../src/domain/oauth/endpoint.ts";
import {
  checkResourceMetadata,
  resourceMetadataLocations,
} from "../../../src/domain/oauth/resource-metadata.ts";
import {
  checkServerMetadata,
  isSameIssuer,
  serverMetadataLocations,
} from "../../../src/domain/oauth/server-metadata.ts";

for (const [url, expected] of [
  ["https://mcp.example", "https://mcp.example"],
  ["https://mcp.example/", "https://mcp.example"],
  ["HTTPS://MCP.Example:443/Mcp", "https://mcp.example/Mcp"],
  ["http://localhost:80/mcp", "http://localhost/mcp"],
  ["https://mcp.example/mcp/", "https://mcp.example/mcp/"],
  ["https://mcp.example/mcp#top", "https://mcp.example/mcp"],
  ["https://mcp.example/?q=D", "https://mcp.example?q=D"],
  ["https://m.example/r/arn%3Aa%2Fb/inv?q=D", "https://m.example/r/arn%3Aa%2Fb/inv?q=D"],
  ["https://user@mcp.example/", undefined],
  ["ftp://mcp.example/", undefined],
  ["mcp", undefined],
  [`https://mcp.example/${"a".repeat(8_192)}`, undefined],
] as const) {
  test(`U9 fault F10 the canonical form of ${url.slice(0, 60)} is ${expected ?? "none"}`, () => {
    assert.equal(canonicalResource(url), expected);
  });
}

for (const [parent, resource, expected] of [
  ["https://m.example", "https://m.example/mcp", true],
  ["https://m.example/a", "https://m.example/a/b", true],
  ["https://m.example/a/", "https://m.example/a/b", true],
  ["https://m.example/a", "https://m.example/ab", false],
  ["https://m.example/a", "https://m.example/a?x", true],
  ["https://m.example/a?x", "https://m.example/a", false],
  ["https://m.example/a/b", "https://m.example/a", false],
  ["https://m.example/a", "https://m.example/a", false],
  ["https://m.example/a/../b", "https://m.example/b/c", true],
  ["https://other.example", "https://m.example/mcp", false],
  ["http://m.example", "https://m.example/mcp", false],
  ["https://m.example:444", "https://m.example/mcp", false],
  ["https://m.example?x", "https://m.example/mcp", false],
  ["nonsense", "https://m.example/mcp", false],
] as const) {
  test(`U5 fault F8 ${parent} is ${expected ? "a" : "no"} parent of ${resource}`, () => {
    assert.equal(isParentResource(parent, resource), expected);
  });
}

for (const [url, urls] of [
  ["https://m.example", ["https://m.example/.well-known/oauth-protected-resource"]],
  [
    "https://m.example/a/b",
    [
      "https://m.example/.well-known/oauth-protected-resource/a/b",
      "https://m.example/.well-known/oauth-protected-resource",
    ],
  ],
  [
    "https://m.example/r/arn%3Aa%2Fb?q=D",
    [
      "https://m.example/.well-known/oauth-protected-resource/r/arn%3Aa%2Fb?q=D",
      "https://m.example/.well-known/oauth-protected-resource",
    ],
  ],
] as const) {
  test(`U5 fault F7 the metadata of ${url} is looked for at its own place first`, () => {
    const locations = resourceMetadataLocations(url, undefined);

    assert.deepEqual(locations.ok && locations.value.map((location) => location.url), urls);
  });
}

for (const link of [
  "https://evil.example/meta",
  "http://m.example/meta",
  "https://m.example:444/meta",
  "https://m.example.evil.example/meta",
  "/relative",
  "javascript:alert(1)",
]) {
  test(`U5 a link to ${link} is not on the server's own origin`, () => {
    assert.deepEqual(resourceMetadataLocations("https://m.example/mcp", link), {
      ok: false,
      refusal: { reason: "resource-metadata-origin" },
    });
  });
}

test("U5 scopes that are no scope tokens are not asked for, and no more than 64 are", () => {
  const serverUrl = "https://m.example";
  const location = { url: "", identifier: "any-parent", last: true } as const;
  const scopes = ["good", 'bad"', "", ...Array.from({ length: 100 }, (_, at) => `s${at}`)];

  const read = checkResourceMetadata(
    { resource: serverUrl, authorization_servers: ["https://as.example"], scopes_supported: scopes },
    { location, serverUrl },
  );

  assert.ok(read.ok);
  assert.deepEqual(read.value.scopesSupported?.slice(0, 2), ["good", "s0"]);
  assert.equal(read.value.scopesSupported?.length, 64);
});

for (const document of [
  undefined,
  null,
  7,
  "text",
  [],
  {},
  { resource: "" },
  { resource: "x".repeat(2_049) },
]) {
  test(`U5 ${JSON.stringify(document)?.slice(0, 30)} is no resource metadata`, () => {
    const location = { url: "", identifier: "any-parent", last: true } as const;

    const read = checkResourceMetadata(document, { location, serverUrl: "https://m.example" });

    assert.equal(read.ok ? undefined : read.refusal.reason, "resource-metadata-invalid");
  });
}

test("U5 fault F4 seventeen issuers are too many, and sixteen stay the strings that they were", () => {
  const serverUrl = "https://m.example";
  const check = (count: number): ReturnType<typeof checkResourceMetadata> =>
    checkResourceMetadata(
      {
        resource: serverUrl,
        authorization_servers: Array.from({ length: count }, () => "https://AS.example"),
      },
      { location: { url: "", identifier: "any-parent", last: true }, serverUrl },
    );

  const sixteen = check(16);
  assert.ok(sixteen.ok);
  assert.equal(sixteen.value.authorizationServers[0], "https://AS.example");
  assert.equal(check(17).ok, false);
});

for (const [issuer, urls] of [
  [
    "https://as.example",
    [
      "https://as.example/.well-known/oauth-authorization-server",
      "https://as.example/.well-known/openid-configuration",
    ],
  ],
  [
    "https://as.example/",
    [
      "https://as.example/.well-known/oauth-authorization-server",
      "https://as.example/.well-known/openid-configuration",
    ],
  ],
  [
    "https://as.example/t/",
    [
      "https://as.example/.well-known/oauth-authorization-server/t",
      "https://as.example/.well-known/openid-configuration/t",
      "https://as.example/t/.well-known/openid-configuration",
    ],
  ],
  ["https://as.example?x", undefined],
  ["https://as.example#x", undefined],
  ["ftp://as.example", undefined],
] as const) {
  test(`U5 the metadata of the issuer ${issuer} is ${urls === undefined ? "nowhere" : "in the specification's places"}`, () => {
    const locations = serverMetadataLocations(issuer);

    assert.deepEqual(locations.ok ? locations.value : undefined, urls);
  });
}

for (const [one, other, expected] of [
  ["https://as.example", "https://as.example", true],
  ["https://as.example", "https://as.example/", true],
  ["https://as.example/", "https://as.example", true],
  ["https://as.example/t", "https://as.example/t/", false],
  ["https://as.example", "https://AS.example", false],
  ["https://as.example", "https://as.example:443", false],
  ["https://as.example", "http://as.example", false],
  ["https://as.example", "https://as.example//", false],
] as const) {
  test(`U5 fault F1 F2 ${one} and ${other} are ${expected ? "one issuer" : "two issuers"}`, () => {
    assert.equal(isSameIssuer(one, other), expected);
    assert.equal(isSameIssuer(other, one), expected);
  });
}

for (const document of [undefined, [], { issuer: 7 }, { issuer: "https://as.example", token_endpoint: 7 }]) {
  test(`U5 ${JSON.stringify(document) ?? "nothing"} is no server metadata`, () => {
    const read = checkServerMetadata(document, {
      issuer: "https://as.example",
      grant: "authorization_code",
    });

    assert.equal(read.ok ? undefined : read.refusal.reason, "server-metadata-invalid");
  });
}

for (const [namedAt, url, expected] of [
  ["https://m.example", "https://as.example/token", true],
  ["https://m.example", "http://as.example/token", false],
  ["https://m.example", "https://u:p@as.example/token", false],
  ["https://m.example", "https://as.example/token#x", false],
  ["https://m.example", "http://127.0.0.1:4711/token", false],
  ["https://m.example", "https://localhost/token", false],
  ["http://localhost:4712/mcp", "http://127.0.0.1:4711/token", true],
  ["http://localhost:4712/mcp", "https://as.example/token", true],
  ["https://m.example", "https://169.254.169.254/token", false],
] as const) {
  test(`U5 ${namedAt} may ${expected ? "" : "not "}name ${url}`, () => {
    assert.equal(mayName(namedAt, url), expected);
  });
}

test("E5 a private address is left to the egress policy, which may allow it", () => {
  assert.equal(isSecureEndpoint("https://10.0.0.1/token"), true);
  assert.equal(isSecureEndpoint("http://10.0.0.1/token"), false);
});
