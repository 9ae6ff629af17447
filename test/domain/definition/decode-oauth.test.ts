import assert from "node:assert/strict";
import { test } from "node:test";

import { definitionOf, manyTexts, problemOf } from "../../kit/definitions.ts";

const URL_FIELD = { url: "https://a.example/mcp" };

function accepts(oauth: object): void {
  assert.deepEqual(definitionOf({ ...URL_FIELD, oauth }).oauth, oauth);
}

function refuses(oauth: unknown, reason: string, path: string): void {
  const problem = problemOf({ ...URL_FIELD, oauth });
  assert.deepEqual([problem.reason, problem.path], [reason, path], JSON.stringify(oauth).slice(0, 80));
}

test("D6 oauth is an object with known keys only", () => {
  accepts({});
  accepts({
    clientId: "app",
    callbackPort: 8_000,
    clientMetadataUrl: "https://app.example/client.json",
    authServerMetadataUrl: "https://as.example/.well-known/oauth-authorization-server",
    scopes: ["read", "write:all"],
  });
  refuses(true, "invalid-type", "oauth");
  refuses([], "invalid-type", "oauth");
  refuses({ redirectUri: "x" }, "invalid-value", "oauth");
});

test("D6 U13 a client secret is refused with the hint that it is entered at sign-in", () => {
  for (const key of ["clientSecret", "client_secret", "accessToken"]) {
    const problem = problemOf({ ...URL_FIELD, oauth: { [key]: "canary" } });
    assert.deepEqual(problem, {
      kind: "definition",
      reason: "secret-in-configuration",
      path: "oauth",
      expected: "no secret here: it is entered at sign-in",
    });
  }
});

test("D6 clientId is 1 to 2,048 printable ASCII characters", () => {
  const port = { callbackPort: 1 };
  accepts({ clientId: "a", ...port });
  accepts({ clientId: "a".repeat(2_048), ...port });
  refuses({ clientId: "a".repeat(2_049), ...port }, "too-long", "oauth.clientId");
  refuses({ clientId: "", ...port }, "invalid-value", "oauth.clientId");
  refuses({ clientId: "é", ...port }, "invalid-value", "oauth.clientId");
  refuses({ clientId: "a\nb", ...port }, "invalid-value", "oauth.clientId");
  refuses({ clientId: 7, ...port }, "invalid-type", "oauth.clientId");
});

test("D6 a clientId needs a callbackPort unless the client is a metadata document", () => {
  refuses({ clientId: "app" }, "missing-field", "oauth.callbackPort");
  refuses({ clientId: "http://app.example/client.json" }, "missing-field", "oauth.callbackPort");
  accepts({ clientId: "https://app.example/client.json" });
});

test("D6 callbackPort is a whole number from 1 to 65,535", () => {
  for (const callbackPort of [1, 2, 65_534, 65_535]) accepts({ callbackPort });
  for (const callbackPort of [0, -1, 65_536]) refuses({ callbackPort }, "out-of-range", "oauth.callbackPort");
  refuses({ callbackPort: 80.5 }, "invalid-value", "oauth.callbackPort");
  refuses({ callbackPort: "80" }, "invalid-type", "oauth.callbackPort");
});

test("D6 metadata URLs are https, without user information, fragment or hidden characters", () => {
  for (const key of ["clientMetadataUrl", "authServerMetadataUrl"]) {
    accepts({ [key]: "https://as.example/x?y=z" });
    for (const bad of [
      "http://as.example/x",
      "https://user:pass@as.example/x",
      "https://@as.example/x",
      "https://as.example/#x",
      "https://as.example/ x",
      " https://as.example/x",
      "https://as.exa\tmple/x",
      "https://",
      "https://\u0430s.example/",
      "not a url",
    ]) {
      refuses({ [key]: bad }, "invalid-value", `oauth.${key}`);
    }
    refuses({ [key]: 1 }, "invalid-type", `oauth.${key}`);
    refuses({ [key]: `https://as.example/${"a".repeat(2_048)}` }, "too-long", `oauth.${key}`);
  }
});

test("D6 scopes are 1 to 64 scope tokens", () => {
  accepts({ scopes: ["!#[]~:/"] });
  accepts({ scopes: manyTexts(64) });
  refuses({ scopes: manyTexts(65) }, "too-many", "oauth.scopes");
  refuses({ scopes: [] }, "invalid-value", "oauth.scopes");
  refuses({ scopes: "read write" }, "invalid-type", "oauth.scopes");
  for (const bad of ["", "a b", 'a"b', "a\\b", "é"]) {
    refuses({ scopes: ["ok", bad] }, "invalid-value", "oauth.scopes[1]");
  }
  refuses({ scopes: [1] }, "invalid-type", "oauth.scopes[0]");
  refuses({ scopes: ["s".repeat(257)] }, "too-long", "oauth.scopes[0]");
});

test("D6 no template is expanded in oauth", () => {
  refuses({ clientId: "${ID}", callbackPort: 1 }, "template-not-allowed", "oauth.clientId");
  refuses({ clientMetadataUrl: "https://${H}/x" }, "template-not-allowed", "oauth.clientMetadataUrl");
  refuses({ scopes: ["${S}"] }, "template-not-allowed", "oauth.scopes[0]");
});

test("D6 oauth together with headersHelper is a problem", () => {
  const problem = problemOf({ ...URL_FIELD, oauth: {}, headersHelper: { command: "/bin/helper" } });

  assert.deepEqual([problem.reason, problem.path], ["conflicting-fields", "headersHelper"]);
});
