import assert from "node:assert/strict";
import { test } from "node:test";

import { isCredentialName } from "../../../src/domain/definition/credential-shape.ts";

test("D10 credential-shaped names are recognised", () => {
  const names = [
    "DATABASE_URL",
    "REDIS_URL",
    "MONGODB_URI",
    "database_url",
    "GITHUB_TOKEN",
    "githubToken",
    "CLIENT_SECRET",
    "DB_PASSWORD",
    "DB_PASSWD",
    "DB_PWD",
    "KEY_PASSPHRASE",
    "OPENAI_API_KEY",
    "APIKEY",
    "apiKey",
    "myAPIKEY",
    "X-Api-Key",
    "AUTH",
    "Authorization",
    "Proxy-Authorization",
    "AWS_CREDENTIAL",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "GH_PAT",
    "Cookie",
    "PRIVATE_PEM",
    "SENTRY_DSN",
    "BEARER",
    "APP_JWT",
    "MYTOKEN",
    "accesstoken",
    "APPSECRET",
    "ROOTPASSWORD",
    "OPENAIAPIKEY",
    "AWSACCESSKEY",
    "SSHPRIVATEKEY",
    "AzureConnectionString",
    "AZURECONNECTIONSTRING",
    "a.token.b",
  ];
  for (const name of names) assert.equal(isCredentialName(name), true, name);
});

test("D10 harmless names are not credentials, since their values have to be fingerprinted", () => {
  const names = [
    "PWD",
    "OLDPWD",
    "pwd",
    "KEYBOARD",
    "AUTHOR",
    "MONKEY",
    "MONKEYS",
    "PATH",
    "PATTERN",
    "HOME",
    "NODE_OPTIONS",
    "TOKENIZER",
    "SECRETARY",
    "BASE_URL",
    "API_URL",
    "COMPATIBLE",
    "KEYS",
    "DESIGN",
    "Content-Type",
    "accept",
    "",
    "_",
  ];
  for (const name of names) assert.equal(isCredentialName(name), false, name);
});
