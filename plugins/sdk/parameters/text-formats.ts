import { isRegex } from '../../../schema/text/regex.ts';

/** Whether a text is a UUID of any version (RFC 9562). */
export const isUuid = (text: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

const dateTime =
  /^(\d{4}-(\d{2})-(\d{2}))t([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/** Whether a text is a time with an offset (RFC 3339), on a day that exists. */
export const isDateTime = (text: string): boolean => {
  const [, day, month] = dateTime.exec(text) ?? [];
  if (day === undefined || month === undefined) return false;
  // A day after the end of its month would be read as a day of the next month.
  const read = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(read.getTime()) && read.getUTCMonth() + 1 === Number(month);
};

/** The string formats that schemas of parameters can use. */
export const formats: { readonly [name: string]: true | ((text: string) => boolean) } = {
  regex: isRegex,
  uri: (text) => URL.canParse(text),
  uuid: isUuid,
  'date-time': isDateTime,
  /** A secret may be any text; where it may occur is decided elsewhere. */
  secret: true,
};
