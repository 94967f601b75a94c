const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** A list as PostgreSQL reads an array: https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO */
export const arrayLiteral = (values: readonly (string | number | null)[]): string => {
  let text = '{';
  for (const value of values) {
    if (text.length > 1) text += ',';
    if (value === null) text += 'NULL';
    else text += typeof value === 'string' ? quoted(value) : value;
  }
  return `${text}}`;
};
