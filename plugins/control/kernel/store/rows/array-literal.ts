import { toBuffer } from '../../../../sdk/http/to-buffer.ts';

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** A list as PostgreSQL reads an array: https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO */
export const arrayLiteral = (values: readonly (string | number | Uint8Array | null)[]): string => {
  let text = '{';
  for (const value of values) {
    if (text.length > 1) text += ',';
    if (value === null) text += 'NULL';
    else if (typeof value === 'string') text += quoted(value);
    // https://www.postgresql.org/docs/current/datatype-binary.html: the backslash is escaped as in a text.
    else text += typeof value === 'number' ? value : `"\\\\x${toBuffer(value).toString('hex')}"`;
  }
  return `${text}}`;
};
