/** What a server can make us remember at most. Our own waits are far below it (see `backoff.ts`). Milliseconds. */
export const RETRY_AFTER_LIMIT_MS: number = 24 * 60 * 60 * 1_000;

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const TIME = "(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)";
const MONTH = `(?<month>${MONTHS.join("|")})`;
/** The three forms of RFC 9110 section 5.6.7; a recipient has to read all of them. */
const DATE_FORMS = [
  new RegExp(`^[A-Z][a-z]{2}, (?<day>\\d\\d) ${MONTH} (?<year>\\d{4}) ${TIME} GMT$`),
  new RegExp(`^[A-Z][a-z]{5,8}, (?<day>\\d\\d)-${MONTH}-(?<year>\\d\\d) ${TIME} GMT$`),
  new RegExp(`^[A-Z][a-z]{2} ${MONTH} (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})$`),
];
/** Longer than any form: what is longer is not looked at. */
const VALUE_LIMIT_CHARS = 64;

/**
 * Parses `Retry-After` (RFC 9110 section 10.2.3): seconds, or a date, which is compared with `nowMs`. Answers between 0
 * and 24 h; anything else says nothing.
 */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined || value.length > VALUE_LIMIT_CHARS) return undefined;
  if (/^\d+$/.test(value)) return bounded(Number(value) * 1_000);
  const atMs = parseHttpDate(value, nowMs);
  return atMs === undefined ? undefined : bounded(atMs - nowMs);
}

function bounded(waitMs: number): number {
  return Math.min(Math.max(0, waitMs), RETRY_AFTER_LIMIT_MS);
}

function parseHttpDate(value: string, nowMs: number): number | undefined {
  const groups = DATE_FORMS.map((form) => form.exec(value)?.groups).find((found) => found !== undefined);
  if (groups === undefined) return undefined;
  const { day, month = "", hour, minute, second } = groups;
  const at = (year: number): number =>
    Date.UTC(year, MONTHS.indexOf(month), Number(day), Number(hour), Number(minute), Number(second));
  if (groups["year"]?.length === 4) return at(Number(groups["year"]));
  // Two digits mean the century in which the date is not more than 50 years ahead (section 5.6.7).
  const soon = at(2_000 + Number(groups["year"]));
  return soon - nowMs > FIFTY_YEARS_MS ? at(1_900 + Number(groups["year"])) : soon;
}

const FIFTY_YEARS_MS = 50 * 365.25 * 24 * 60 * 60 * 1_000;
