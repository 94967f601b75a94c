/** The header that lists what a client's request lost. */
export const droppedHeader = 'x-gw-dropped-params';

const longest = 1024;
const longestName = 200;
const more = ', ...';

const indexes = /\[\d+\]/g;

/** Names may contain members of the client's body. Only characters that are valid in a header and do not end a name are kept. */
const safe = (name: string): string => name.replace(/[^!-+\--~]/g, '?').slice(0, longestName);

/** Returns each name once. Names that differ only in their indexes are merged: `turns[*].parts[*].cache`. */
const merged = (lost: readonly string[]): readonly string[] =>
  Array.from(
    Map.groupBy(lost, (name) => name.replace(indexes, '[*]')),
    ([shape, names]) => (names.every((name) => name === names[0]) ? (names[0] ?? shape) : shape),
  );

/** Writes the losses of a request for a header of at most 1 KB. Undefined if there were none. */
export const droppedParams = (lost: readonly string[]): string | undefined => {
  if (lost.length === 0) return undefined;
  let text = '';
  for (const name of merged(lost).map(safe)) {
    const next = text === '' ? name : `${text}, ${name}`;
    if (next.length > longest - more.length) return text + more;
    text = next;
  }
  return text;
};
