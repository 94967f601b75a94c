/** A page of the reference. */
export interface ReferencePage {
  /** From the folder of the reference: `errors/config.md`. */
  readonly path: string;
  readonly text: string;
}

/** A page, which has a comment below its title that names its sources. */
export const toPage = (
  path: string,
  { title, from, parts }: { readonly title: string; readonly from: string; readonly parts: readonly string[] },
): ReferencePage => ({
  path,
  text: `# ${title}

<!-- Made from ${from} by test/support/reference/generate.ts (npm run generate); do not edit. -->

${parts.filter((part) => part !== '').join('\n\n')}
`,
});

/** A text in a span of code, whatever it has. */
export const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);

export const codes = (texts: readonly string[]): string => texts.map(code).join(', ');

/** A block of code. */
export const fence = (language: string, lines: string | readonly string[]): string => {
  const text = typeof lines === 'string' ? lines : lines.join('\n');
  return `\`\`\`${language}\n${text.replace(/\n$/, '')}\n\`\`\``;
};

/** Outside of spans of code, characters that Markdown or the site's templates would read as their own. */
const escaped = (text: string): string =>
  text
    .replaceAll('<', '&lt;')
    .replaceAll('{{', '&#123;&#123;')
    .replaceAll('*', '\\*')
    .replaceAll(/(?<![\w`])_(?=\w)/g, '\\_');

/** A sentence of a source, in which only spans of code are Markdown. */
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

/** A list of points. */
export const points = (texts: readonly string[]): string => texts.map((text) => `- ${text}`).join('\n');

/** Throws if an entry of a list has no description: the page would say nothing of it. */
export const described = (text: string | undefined, entry: string): string => {
  if (text === undefined || text.trim() === '')
    throw new Error(`${entry} has no description: write one at its source.`);
  return text;
};
