import { createHmac, generateKeyPairSync, sign, type KeyObject } from "node:crypto";

/** An issuer that signs whatever a test wants signed, and the public half of what it signs with. */
export interface TestKey {
  readonly privateKey: KeyObject;
  readonly jwk: Readonly<Record<string, unknown>>;
}

export type KeyKind = "ES256" | "ES384" | "ES512" | "RS256" | "PS256" | "Ed25519";

export function makeKey(kind: KeyKind, members: Readonly<Record<string, unknown>> = {}): TestKey {
  const { privateKey, publicKey } = generate(kind);
  return { privateKey, jwk: { ...publicKey.export({ format: "jwk" }), ...members } };
}

function generate(kind: KeyKind): { readonly privateKey: KeyObject; readonly publicKey: KeyObject } {
  switch (kind) {
    case "ES256":
      return generateKeyPairSync("ec", { namedCurve: "P-256" });
    case "ES384":
      return generateKeyPairSync("ec", { namedCurve: "P-384" });
    case "ES512":
      return generateKeyPairSync("ec", { namedCurve: "P-521" });
    case "Ed25519":
      return generateKeyPairSync("ed25519");
    default:
      return generateKeyPairSync("rsa", { modulusLength: 2_048 });
  }
}

export interface TokenParts {
  /** The value, or the very text of the header. */
  readonly header: object | string;
  readonly claims: object | string;
}

/** Signs a token as its header's `alg` says, with the key of that kind. */
export function signToken({ header, claims }: TokenParts, { privateKey }: TestKey): string {
  const input = `${encode(header)}.${encode(claims)}`;
  const { alg = "ES256" }: { readonly alg?: string } = typeof header === "string" ? {} : header;
  return `${input}.${signatureOf(input, alg, privateKey)}`;
}

function signatureOf(input: string, alg: string, key: KeyObject): string {
  const data = Buffer.from(input);
  if (alg.startsWith("Ed")) return sign(null, data, key).toString("base64url");
  const hash = `sha${alg.slice(2)}`;
  if (alg.startsWith("ES")) return sign(hash, data, { key, dsaEncoding: "ieee-p1363" }).toString("base64url");
  // 6: RSA_PKCS1_PSS_PADDING, with a salt as long as the hash (RFC 7518 section 3.5).
  const padding = alg.startsWith("PS") ? { padding: 6, saltLength: Number(alg.slice(2)) / 8 } : {};
  return sign(hash, data, { key, ...padding }).toString("base64url");
}

/** Signs with HMAC, where the "secret" is something that everybody can read. */
export function signSymmetric({ header, claims }: TokenParts, secret: string): string {
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${createHmac("sha256", secret).update(input).digest("base64url")}`;
}

export function encode(part: object | string): string {
  return Buffer.from(typeof part === "string" ? part : JSON.stringify(part)).toString("base64url");
}
