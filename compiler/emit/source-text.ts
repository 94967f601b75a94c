/** Quotes a text as a TypeScript literal: in single quotes, or in double quotes if that saves escapes. */
export const quote = (text: string): string => {
  const double = JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  if (text.includes("'") && !text.includes('"')) return double;
  return `'${double.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
};

/** Returns a member's name as it is written before the colon; it is quoted only if necessary. */
export const memberName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name));

/** The maximum length of a line of generated code. */
const lineWidth = 110;

/** Writes a union on one line if it fits, otherwise one arm per line; `never` if there are no arms. */
export const unionText = (arms: readonly string[]): string => {
  if (arms.length === 0) return 'never';
  const line = arms.join(' | ');
  return line.length <= lineWidth ? line : arms.map((arm) => `\n  | ${arm}`).join('');
};
