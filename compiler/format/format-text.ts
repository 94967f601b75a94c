import { readTree, type TextFormat } from '../parse/read-tree.ts';
import { type SyntaxReading, toValue } from '../parse/syntax-tree.ts';
import { formatJson } from './format-json.ts';
import { toJsonPieces } from './json-pieces.ts';

/** The maximum number of times that a text is formatted until nothing changes any more. */
const maxRounds = 4;

interface Layout {
  readonly format: (text: string) => string;
  readonly comments: (text: string) => readonly string[];
}

const normalised = (comment: string): string => comment.replace(/\s+/g, ' ');

const jsonLayout: Layout = {
  format: formatJson,
  comments: (text) => toJsonPieces(text).flatMap((piece) => (piece.kind === 'comment' ? normalised(piece.text) : [])),
};

const yamlLayout = async (): Promise<Layout> => {
  const [{ formatYaml }, { yamlComments }] = await Promise.all([
    import('./format-yaml.ts'),
    import('./yaml-comments.ts'),
  ]);
  return { format: formatYaml, comments: yamlComments };
};

/** Returns the value with the order of its members, and the comments: everything that formatting must not change. */
const content = (reading: SyntaxReading, comments: readonly string[]): string | undefined =>
  reading.ok ? JSON.stringify([toValue(reading.root), comments]) : undefined;

/** Some editors put a byte order mark before the text. */
const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);

/**
 * Formats a text without errors: its white space and, in JSON, commas before closing brackets. Values, the order of members and
 * comments stay. All line breaks become like the first one. Undefined if it cannot be formatted without another change.
 */
export const formatText = async (given: string, format: TextFormat): Promise<string | undefined> => {
  const text = withoutMark(given).replaceAll('\r\n', '\n');
  const layout = format === 'yaml' ? await yamlLayout() : jsonLayout;
  const wanted = content(readTree(text, format), layout.comments(text));
  if (wanted === undefined) return undefined;
  let last = text;
  for (let round = 0; round < maxRounds; round += 1) {
    const next = layout.format(last);
    if (next === last) return /^[^\n]*\r\n/.test(given) ? next.replaceAll('\n', '\r\n') : next;
    if (content(readTree(next, format), layout.comments(next)) !== wanted) return undefined;
    last = next;
  }
  return undefined;
};
