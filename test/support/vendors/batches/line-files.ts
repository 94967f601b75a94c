/** A line of a batch that has run. */
interface ResultLine {
  readonly failed: boolean;
  readonly line: object;
}

/** The files of an account with batches of lines. */
export interface LineFiles {
  /** Stores a file. Returns its id. */
  keep(text: string): string;
  /** Returns the text of a file. Empty if there is no such file. */
  text(id: string): string;
  /** Returns the requests in a file. */
  // biome-ignore lint/suspicious/noExplicitAny: a test knows what it sent
  lines(id: string): readonly any[];
  /** Stores results in two files. */
  results(lines: readonly ResultLine[]): { readonly output: string; readonly error: string | null };
}

export const lineFiles = (toId: (count: number) => string): LineFiles => {
  const files = new Map<string, string>();
  const keep = (text: string): string => {
    const id = toId(files.size);
    files.set(id, text);
    return id;
  };
  const text = (id: string): string => files.get(id) ?? '';
  return {
    keep,
    text,
    lines: (id) =>
      text(id)
        .trim()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
    results(lines) {
      const toText = (wanted: boolean): string =>
        lines.map(({ failed, line }) => (failed === wanted ? `${JSON.stringify(line)}\n` : '')).join('');
      const [output, failures] = [keep(toText(false)), toText(true)];
      return { output, error: failures === '' ? null : keep(failures) };
    },
  };
};
