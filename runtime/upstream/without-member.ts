const stringEnd = (text: string, at: number): number => {
  let end = text.indexOf('"', at + 1);
  while (end !== -1) {
    let escapes = 0;
    while (text[end - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
};

const colon = /\s*:/y;

const isKey = (text: string, after: number): boolean => {
  colon.lastIndex = after;
  return colon.test(text);
};

const depthChange = (char: string | undefined): number => {
  if (char === '{' || char === '[') return 1;
  return char === '}' || char === ']' ? -1 : 0;
};

/** The text of a JSON object without one of its members; all other characters stay as they are. */
export const withoutMember = (text: string, name: string): string => {
  const key = `"${name}"`;
  let depth = 0;
  /** The comma before the member that is being passed. */
  let comma: number | undefined;
  /** Where the member begins that is looked for. */
  let from: number | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') {
      if (depth === 1 && text.startsWith(key, at) && isKey(text, at + key.length)) from = at;
      at = stringEnd(text, at);
      continue;
    }
    depth += depthChange(char);
    if (depth > 1 || (char !== ',' && char !== '}')) continue;
    // Here a member of the object has ended: after a comma at depth 1, or with the object.
    if (char === '}' && depth === 1) continue;
    if (from !== undefined)
      return comma === undefined
        ? text.slice(0, from) + text.slice(char === ',' ? at + 1 : at)
        : text.slice(0, comma) + text.slice(at);
    comma = at;
  }
  return text;
};
