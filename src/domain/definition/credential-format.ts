/** Prefixes that providers put before their tokens, and how long at least what follows is. */
const PREFIXES: readonly (readonly [prefix: string, following: number])[] = [
  ["ghp_", 16],
  ["gho_", 16],
  ["ghu_", 16],
  ["ghs_", 16],
  ["ghr_", 16],
  ["github_pat_", 16],
  ["glpat-", 16],
  ["gldt-", 16],
  ["glrt-", 16],
  ["glsa_", 16],
  ["sk-ant-", 12],
  ["sk-proj-", 12],
  ["sk-or-", 12],
  ["sk_live_", 12],
  ["sk_test_", 12],
  ["rk_live_", 12],
  ["rk_test_", 12],
  ["whsec_", 12],
  ["xoxa-", 8],
  ["xoxb-", 8],
  ["xoxe-", 8],
  ["xoxp-", 8],
  ["xoxr-", 8],
  ["xoxs-", 8],
  ["xapp-", 8],
  ["AIza", 30],
  ["ya29.", 16],
  ["npm_", 30],
  ["pypi-", 30],
  ["dop_v1_", 16],
  ["doo_v1_", 16],
  ["hf_", 24],
  ["gsk_", 24],
  ["r8_", 24],
  ["lin_api_", 16],
  ["ntn_", 24],
  ["figd_", 16],
  ["shpat_", 16],
  ["shpss_", 16],
  ["SG.", 24],
  ["tvly-", 16],
  ["ATATT", 24],
  ["sntrys_", 16],
  ["dckr_pat_", 12],
  ["sbp_", 24],
  ["pplx-", 24],
  ["xai-", 24],
  ["pat-na1-", 16],
  ["vercel_", 20],
  ["fio-u-", 16],
  ["dp.pt.", 16],
  ["EAACEdEose0cBA", 8],
];

/** AWS access key ids: a fixed length of upper-case letters and digits. */
const AWS_KEY_ID = /^(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}$/;

/** Older OpenAI and compatible keys: `sk-` is also how package names begin, so that a digit has to follow. */
const PLAIN_SK = /^sk-(?=[A-Za-z0-9]*\d)[A-Za-z0-9]{20,}$/;

/** Tells whether one word (`A-Za-z0-9_.-`) has the format of a provider's token or of a JWT. */
export function isCredentialWord(word: string): boolean {
  return hasTokenPrefix(word) || AWS_KEY_ID.test(word) || PLAIN_SK.test(word) || holdsJwt(word);
}

function hasTokenPrefix(word: string): boolean {
  return PREFIXES.some(
    ([prefix, following]) => word.startsWith(prefix) && word.length >= prefix.length + following,
  );
}

/** Three base64url parts, the first a JSON object (`eyJ` is how `{"` begins). */
function holdsJwt(word: string): boolean {
  const parts = word.split(".");
  return parts.some(
    (part, index) =>
      part.startsWith("eyJ") &&
      part.length >= 8 &&
      (parts[index + 1]?.length ?? 0) >= 8 &&
      index + 2 < parts.length,
  );
}

/** Of random base64, two thirds of the neighbours are of different classes; of words in a path, a few. */
const LEAST_CHANGES = 0.35;

/**
 * Tells whether a long run of base64 characters looks random: lower case, upper case and digits in quick
 * change. Hex digests of 40 and 64 digits are not credentials but what people compare.
 */
export function isRandomRun(run: string): boolean {
  if (/^(?:[0-9a-fA-F]{40}|[0-9a-fA-F]{64})$/.test(run)) return false;
  if (!/[a-z]/.test(run) || !/[A-Z]/.test(run) || !/\d/.test(run)) return false;
  // Without the separators: in a path, every `/` would count as two changes.
  const signs = run.replace(/[^A-Za-z0-9]/g, "");
  let changes = 0;
  for (let index = 1; index < signs.length; index += 1) {
    if (classOf(signs, index) !== classOf(signs, index - 1)) changes += 1;
  }
  return changes / signs.length >= LEAST_CHANGES;
}

function classOf(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code >= 48 && code <= 57) return 0;
  return code >= 65 && code <= 90 ? 1 : 2;
}
