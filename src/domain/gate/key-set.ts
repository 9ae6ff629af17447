import { isJsonObject, own, type JsonObject } from "../json-value.ts";
import { mayName } from "../oauth/endpoint.ts";
import { parseUniqueJson } from "./access-token-json.ts";
import type { TokenAlgorithm } from "./access-token.ts";

/** R9, of the metadata and of the key set each. */
export const KEY_DOCUMENT_LIMIT_BYTES = 65_536;
export const KEY_SET_LIMIT = 32;
const MEMBER_LIMIT_CHARS = 4_096;
/** 2,048 bits (RFC 7518 section 3.3) in base64url. */
const RSA_SHORTEST_CHARS = 342;

/** One public key of an issuer: its public members, and nothing else of what the issuer wrote. */
export interface IssuerKey {
  readonly keyId: string | undefined;
  /** What the issuer says it is for; `undefined`: whatever its kind can do. */
  readonly algorithm: string | undefined;
  readonly material: KeyMaterial;
}

export type KeyMaterial =
  | { readonly kty: "EC"; readonly crv: string; readonly x: string; readonly y: string }
  | { readonly kty: "OKP"; readonly crv: string; readonly x: string }
  | { readonly kty: "RSA"; readonly n: string; readonly e: string };

/** Reads where an issuer's metadata says its keys are (RFC 8414 section 2). `undefined`: not this issuer's, or nowhere. */
export function decodeKeySetPlace(text: string, issuer: string): string | undefined {
  const document = parseUniqueJson(text);
  if (!isJsonObject(document) || own(document, "issuer") !== issuer) return undefined;
  const place = own(document, "jwks_uri");
  return typeof place === "string" && mayName(issuer, place) ? place : undefined;
}

/**
 * Decodes a key set (RFC 7517 section 5). `undefined`: no key set, or one of more than 32 keys. A key that is not for
 * signatures, or of a kind that is not known, is left out.
 */
export function decodeKeySet(text: string): readonly IssuerKey[] | undefined {
  const document = parseUniqueJson(text);
  const keys = isJsonObject(document) ? own(document, "keys") : undefined;
  if (!Array.isArray(keys) || keys.length > KEY_SET_LIMIT) return undefined;
  return keys.flatMap((key: unknown) => (isJsonObject(key) ? (decodeKey(key) ?? []) : []));
}

/**
 * Finds the one key a token can have been signed with. `undefined`: there is none, or more than one: then trying
 * them all would let the issuer's other keys stand in.
 */
export function selectKey(
  keys: readonly IssuerKey[],
  { algorithm, keyId }: { readonly algorithm: TokenAlgorithm; readonly keyId: string | undefined },
): IssuerKey | undefined {
  const fitting = keys.filter(
    (key) =>
      (keyId === undefined || key.keyId === keyId) &&
      (key.algorithm === undefined || key.algorithm === algorithm) &&
      fits(key.material, algorithm),
  );
  return fitting.length === 1 ? fitting[0] : undefined;
}

const CURVES: Readonly<Record<string, string>> = {
  ES256: "P-256",
  ES384: "P-384",
  ES512: "P-521",
  Ed25519: "Ed25519",
  EdDSA: "Ed25519",
};

function fits(material: KeyMaterial, algorithm: TokenAlgorithm): boolean {
  return material.kty === "RSA"
    ? CURVES[algorithm] === undefined
    : CURVES[algorithm] === material.crv && (material.kty === "EC") === algorithm.startsWith("ES");
}

function decodeKey(key: JsonObject): IssuerKey | undefined {
  const use = own(key, "use");
  const operations = own(key, "key_ops");
  if (use !== undefined && use !== "sig") return undefined;
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes("verify"))) {
    return undefined;
  }
  const material = decodeMaterial(key);
  const keyId = own(key, "kid");
  const algorithm = own(key, "alg");
  if (material === undefined || !isOptionalText(keyId) || !isOptionalText(algorithm)) return undefined;
  return { keyId, algorithm, material };
}

function decodeMaterial(key: JsonObject): KeyMaterial | undefined {
  const [crv, x, y, n, e] = ["crv", "x", "y", "n", "e"].map((name) => memberOf(key, name));
  switch (own(key, "kty")) {
    case "EC":
      return crv && x && y ? { kty: "EC", crv, x, y } : undefined;
    case "OKP":
      return crv && x ? { kty: "OKP", crv, x } : undefined;
    case "RSA":
      return n && e && n.length >= RSA_SHORTEST_CHARS ? { kty: "RSA", n, e } : undefined;
    default:
      return undefined;
  }
}

function memberOf(key: JsonObject, name: string): string | undefined {
  const value = own(key, name);
  return typeof value === "string" && value.length <= MEMBER_LIMIT_CHARS ? value : undefined;
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || (typeof value === "string" && value.length <= MEMBER_LIMIT_CHARS);
}
