/** The four formats that a form may ask of a text (MCP 2025-11-25, elicitation). Linear, without `Date`. */

export const TEXT_FORMATS = ["email", "uri", "date", "date-time"] as const;
export type TextFormat = (typeof TEXT_FORMATS)[number];

/** RFC 5321 bounds of an address; what is inside is its server's affair. */
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,255}$/u;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
/** RFC 3339, section 5.6: a leap second is one. */
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
const DATE_LENGTH = "2026-07-28".length;

export function isTextFormat(value: unknown): value is TextFormat {
  return TEXT_FORMATS.some((format) => format === value);
}

export function hasTextFormat(text: string, format: TextFormat): boolean {
  switch (format) {
    case "email":
      return EMAIL.test(text);
    case "uri":
      return URL.canParse(text);
    case "date":
      return isDate(text);
    case "date-time":
      return (
        isDate(text.slice(0, DATE_LENGTH)) &&
        "Tt ".includes(text.charAt(DATE_LENGTH)) &&
        TIME.test(text.slice(DATE_LENGTH + 1))
      );
  }
}

function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  return month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month);
}

function daysOf(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
