/** Yields the offsets at which a text occurs in another, in order. */
export function* marksIn(text: string, mark: string): Generator<number> {
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) yield at;
}
