import assert from "node:assert/strict";
import { test } from "node:test";

import { checkPageUrl } from "../../../src/domain/oauth/page-url.ts";

const SHOWN: readonly (readonly [given: string, shown: string])[] = [
  ["https://id.test/authorize?client_id=a&state=b", "https://id.test/authorize?client_id=a&state=b"],
  ["HTTPS://ID.TEST", "https://id.test/"],
  ["https://id.test/a?x=%20(1)&y=*;~", "https://id.test/a?x=%20(1)&y=*;~"],
  ["http://127.0.0.1:4711/authorize", "http://127.0.0.1:4711/authorize"],
  ["http://localhost:1234/", "http://localhost:1234/"],
  ["http://[::1]:1234/", "http://[::1]:1234/"],
];

for (const [given, shown] of SHOWN) {
  test(`U7 a browser may be started for ${given}`, () => assert.equal(checkPageUrl(given), shown));
}

const REFUSED: readonly string[] = [
  "",
  "id.test",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "data:text/html,x",
  "vscode://x",
  "ms-msdt:/id",
  "http://id.test/",
  "http://127.0.0.1.evil.test/",
  "https://user@id.test/",
  "https://user:password@id.test/",
  "https://id.test/#fragment",
  "https://id.test/\n--version",
  "https://id.test/\u202ex",
  "https://id.test/\\x",
  "https://id.test/?a=`id`",
  "https://id.test/?a=$(id)",
  "https://id.test/?a=b|c",
  "https://id.test/?a=^b",
  "https://id.test/?a={b}",
  " https://id.test/",
  "-https://id.test/",
  `https://id.test/${"a".repeat(8_192)}`,
];

for (const given of REFUSED) {
  test(`U7 no browser is started for ${JSON.stringify(given.slice(0, 60))}`, () => {
    assert.equal(checkPageUrl(given), undefined);
  });
}
