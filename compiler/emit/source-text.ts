/** A text as a TypeScript literal: in single quotes, or in double ones where that saves escapes. */
export const quote = (text: string): string => {
  const double = JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  if (text.includes("'") && !text.includes('"')) return double;
  return `'${double.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
};

/** A member's name as it stands before the colon: quoted only where it must be. */
export const memberName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name));

/** How long a line of generated code may be. */
const lineWidth = 110;

/** A union on one line where it fits, else one arm to a line. `never` for none. */
export const unionText = (arms: readonly string[]): string => {
  if (arms.length === 0) return 'never';
  const line = arms.join(' | ');
  return line.length <= lineWidth ? line : arms.map((arm) => `\n  | ${arm}`).join('');
};
