export interface CommandLine {
  readonly text: string;
  /** The line in the Markdown text, from 1. */
  readonly line: number;
}

/** Commands that a reader runs before the others, and that a test of this checkout has already run (or is). */
const skipped: ReadonlySet<string> = new Set([
  'npm ci && npm start',
  'npm ci && npm test',
  'npm init -y',
  'npm install gatewright',
]);

/** Returns the commands in an `sh` fence that starts at a line. A backslash joins two lines, and `#` starts a comment. */
export const commandLines = (fence: { readonly text: string; readonly line: number }): readonly CommandLine[] => {
  const lines: CommandLine[] = [];
  let begun: CommandLine | undefined;
  for (const [at, part] of fence.text.split('\n').entries()) {
    const { text, line }: CommandLine = begun ?? { text: '', line: fence.line + 1 + at };
    const joined = `${text}${part}`;
    begun = joined.endsWith('\\') ? { text: joined.slice(0, -1), line } : undefined;
    if (begun === undefined) lines.push({ text: joined.trim(), line });
  }
  return lines.filter(({ text }) => text !== '' && !text.startsWith('#') && !skipped.has(text));
};
