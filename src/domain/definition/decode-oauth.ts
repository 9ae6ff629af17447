import { accept } from "../outcome.ts";
import { isCredentialName } from "./credential-shape.ts";
import type { OauthSettings } from "./definition.ts";
import { isJsonObject, own, type JsonObject } from "../json-value.ts";
import { checkOnlyKeys, problem, readInteger, readPlainText, type Read } from "./fields.ts";

const KEYS = ["clientId", "callbackPort", "clientMetadataUrl", "authServerMetadataUrl", "scopes"] as const;

const CLIENT_ID_LIMIT = 2_048;
const URL_LIMIT = 2_048;
const SCOPES_LIMIT = 64;
const SCOPE_LENGTH_LIMIT = 256;
/** RFC 6749 section 3.3: `scope-token = 1*( %x21 / %x23-5B / %x5D-7E )`. */
const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

const CLIENT_ID = "1 to 2048 printable ASCII characters";
const HTTPS_URL = "an https URL without user information or fragment";
const SCOPES = "1 to 64 scope names";

/** Decodes the `oauth` object (D6). Secrets are refused: they are entered at sign-in. */
export function decodeOauth(value: unknown): Read<OauthSettings | undefined> {
  if (value === undefined) return accept(undefined);
  if (!isJsonObject(value)) return problem("invalid-type", "oauth", "an object");
  const shape = checkShape(value);
  if (!shape.ok) return shape;
  const clientId = readClientId(own(value, "clientId"));
  if (!clientId.ok) return clientId;
  const callbackPort = readInteger(own(value, "callbackPort"), {
    path: "oauth.callbackPort",
    min: 1,
    max: 65_535,
    unit: "a port",
  });
  if (!callbackPort.ok) return callbackPort;
  if (clientId.value !== undefined && callbackPort.value === undefined && !isHttpsUrl(clientId.value)) {
    return problem("missing-field", "oauth.callbackPort", "the port registered for this `clientId`");
  }
  const clientMetadataUrl = readHttpsUrl(value, "clientMetadataUrl");
  if (!clientMetadataUrl.ok) return clientMetadataUrl;
  const authServerMetadataUrl = readHttpsUrl(value, "authServerMetadataUrl");
  if (!authServerMetadataUrl.ok) return authServerMetadataUrl;
  const scopes = readScopes(own(value, "scopes"));
  if (!scopes.ok) return scopes;
  return accept({
    ...(clientId.value !== undefined && { clientId: clientId.value }),
    ...(callbackPort.value !== undefined && { callbackPort: callbackPort.value }),
    ...(clientMetadataUrl.value !== undefined && { clientMetadataUrl: clientMetadataUrl.value }),
    ...(authServerMetadataUrl.value !== undefined && { authServerMetadataUrl: authServerMetadataUrl.value }),
    ...(scopes.value !== undefined && { scopes: scopes.value }),
  });
}

function checkShape(value: JsonObject): Read<undefined> {
  const known: readonly string[] = KEYS;
  const unknown = Object.keys(value).filter((key) => !known.includes(key));
  if (unknown.some((key) => isCredentialName(key))) {
    return problem("secret-in-configuration", "oauth", "no secret here: it is entered at sign-in");
  }
  return checkOnlyKeys(value, KEYS, "oauth");
}

function readClientId(value: unknown): Read<string | undefined> {
  if (value === undefined) return accept(undefined);
  const path = "oauth.clientId";
  const read = readPlainText(value, { path, expected: CLIENT_ID, limit: CLIENT_ID_LIMIT });
  if (!read.ok) return read;
  return /^[\x20-\x7e]+$/.test(read.value) ? read : problem("invalid-value", path, CLIENT_ID);
}

function readHttpsUrl(
  oauth: JsonObject,
  key: "clientMetadataUrl" | "authServerMetadataUrl",
): Read<string | undefined> {
  const value = own(oauth, key);
  if (value === undefined) return accept(undefined);
  const path = `oauth.${key}`;
  const read = readPlainText(value, { path, expected: HTTPS_URL, limit: URL_LIMIT });
  if (!read.ok) return read;
  return isHttpsUrl(read.value) ? read : problem("invalid-value", path, HTTPS_URL);
}

function isHttpsUrl(text: string): boolean {
  // The URL parser drops tabs, line breaks and outer blanks in silence; what is read has to be what is shown.
  if (!/^https:\/\/[\x21-\x7e]+$/i.test(text) || text.includes("#") || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === "" && password === "" && !/^https:\/\/[^/?]*@/i.test(text);
}

function readScopes(value: unknown): Read<readonly string[] | undefined> {
  if (value === undefined) return accept(undefined);
  const path = "oauth.scopes";
  if (!Array.isArray(value)) return problem("invalid-type", path, SCOPES);
  if (value.length === 0) return problem("invalid-value", path, SCOPES);
  if (value.length > SCOPES_LIMIT) return problem("too-many", path, SCOPES);
  const scopes: string[] = [];
  for (const [index, item] of value.entries()) {
    const rule = {
      path: `${path}[${index}]`,
      expected: "a scope token (RFC 6749)",
      limit: SCOPE_LENGTH_LIMIT,
    };
    const read = readPlainText(item, rule);
    if (!read.ok) return read;
    if (!SCOPE_TOKEN.test(read.value)) return problem("invalid-value", rule.path, rule.expected);
    scopes.push(read.value);
  }
  return accept(scopes);
}
