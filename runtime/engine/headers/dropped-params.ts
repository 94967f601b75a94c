/** The header that lists for a client what its request lost. */
export const droppedHeader = 'x-gw-dropped-params';

const longest = 1024;
const longestName = 200;
const more = ', ...';

const indexes = /\[\d+\]/g;

/** Names may contain members of the client's body: only what a header may have, and what ends no name, is kept. */
const safe = (name: string): string => name.replace(/[^!-+\--~]/g, '?').slice(0, longestName);

/** Each name once. Those that differ only in their indexes are one: `turns[*].parts[*].cache`. */
const merged = (lost: readonly string[]): readonly string[] =>
  Array.from(
    Map.groupBy(lost, (name) => name.replace(indexes, '[*]')),
    ([shape, names]) => (names.every((name) => name === names[0]) ? (names[0] ?? shape) : shape),
  );

/** Writes the losses of a request for a header of at most 1 KB; undefined if nothing was. */
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
