/** A page of the reference. */
export interface ReferencePage {
  /** The path in the folder of the reference, such as `errors/config.md`. */
  readonly path: string;
  readonly text: string;
}

/** Creates a page, with a comment below its title that names its sources. */
export const toPage = (
  path: string,
  { title, from, parts }: { readonly title: string; readonly from: string; readonly parts: readonly string[] },
): ReferencePage => ({
  path,
  text: `# ${title}

<!-- Made from ${from} by tools/reference/generate.ts (npm run generate); do not edit. -->

${parts.filter((part) => part !== '').join('\n\n')}
`,
});

/** Formats a text as a code span, whatever it contains. */
export const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);

export const codes = (texts: readonly string[]): string => texts.map(code).join(', ');

/** Formats a code block. */
export const fence = (language: string, lines: string | readonly string[]): string => {
  const text = typeof lines === 'string' ? lines : lines.join('\n');
  return `\`\`\`${language}\n${text.replace(/\n$/, '')}\n\`\`\``;
};

/** Escapes the characters outside code spans that Markdown or the site's templates would interpret. */
const escaped = (text: string): string =>
  text
    .replaceAll('<', '&lt;')
    .replaceAll('{{', '&#123;&#123;')
    .replaceAll('*', '\\*')
    .replaceAll(/(?<![\w`])_(?=\w)/g, '\\_');

/** Formats a sentence from a source, in which only code spans are Markdown. */
export const prose = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part, at) => (at % 2 === 1 ? part : escaped(part)))
    .join('');

const cell = (text: string): string => text.replaceAll('\n', ' ').replaceAll(/(?<!\\)\|/g, '\\|');

export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string => {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return rows.length === 0 ? '' : [line(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(line)].join('\n');
};

/** Formats a list. */
export const points = (texts: readonly string[]): string => texts.map((text) => `- ${text}`).join('\n');

/** Returns the description of a list entry. Throws if there is none, because the page would not explain the entry. */
export const described = (text: string | undefined, entry: string): string => {
  if (text === undefined || text.trim() === '')
    throw new Error(`${entry} has no description: write one at its source.`);
  return text;
};
