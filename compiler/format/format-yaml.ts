import { type CollectionTag, parseDocument, Scalar, type ScalarTag, visit, type YAMLMap, type YAMLSeq } from 'yaml';

type Stringify = NonNullable<ScalarTag['stringify']>;
type Context = Parameters<Stringify>[1];

/** Joins lines, indenting all but the first. */
const indented = (lines: readonly string[], indent: string): string =>
  lines.map((line, index) => (index === 0 || line === '' ? line : `${indent}${line}`)).join('\n');

const linesOf = (text: string): readonly string[] => text.split(/\r\n|\n|\r/);

/** Omits the blank lines at the end of a text. Spaces at the end of its last line stay. */
const withoutBlankLines = (text: string): string => {
  const { length } = text.trimEnd();
  return text.slice(0, length) + (/^[^\r\n]*/.exec(text.slice(length))?.[0] ?? '');
};

/**
 * Returns a folded text with its original lines. Spaces at their ends are a part of its value. If its first line begins with
 * spaces, it is written anew.
 */
const foldedText = (header: string, source: string, indent: string): string | undefined => {
  const lines = linesOf(withoutBlankLines(source));
  const depths = lines.flatMap((line) => (line.trim() === '' ? [] : [line.search(/\S/)]));
  const depth = Math.min(...depths);
  if (!/^>-?$/.test(header) || indent === '' || depths.length === 0 || depths[0] !== depth) return undefined;
  return indented([header, ...lines.map((line) => line.slice(depth))], indent);
};

/**
 * Returns a simple value as it was written; undefined if that depends on its indentation in ways that only YAML's writer handles.
 */
const writtenText = ({ srcToken, comment }: Scalar, { indent }: Context): string | undefined => {
  if (srcToken === undefined || !('source' in srcToken) || srcToken.source === '') return undefined;
  if (srcToken.type !== 'block-scalar')
    return indented(
      linesOf(srcToken.source).map((line) => line.trim()),
      indent,
    );
  const header = srcToken.props.flatMap((token) =>
    token.type === 'block-scalar-header' && 'source' in token ? [String(token.source)] : [],
  );
  return comment ? undefined : foldedText(header.join(''), srcToken.source, indent);
};

/** Objects on one line have a space inside their braces; lists have none. */
const padded =
  (padding: '' | ' '): Stringify =>
  (item, context, onComment, onChompKeep) =>
    // The writer passes collections to the tags of collections.
    (item as unknown as YAMLMap | YAMLSeq).toString(
      { ...context, flowCollectionPadding: padding },
      onComment,
      onChompKeep,
    );

const keepWritten = (tag: ScalarTag | CollectionTag): ScalarTag | CollectionTag => {
  if (tag.collection !== undefined)
    return { ...tag, stringify: padded(tag.collection === 'map' ? ' ' : '') } as CollectionTag;
  const write: Stringify = (item, context, onComment, onChompKeep) =>
    (item instanceof Scalar ? writtenText(item, context) : undefined) ??
    tag.stringify?.(item, context, onComment, onChompKeep) ??
    item.toString();
  return { ...tag, stringify: write };
};

/** Several blank lines between comments become one, as those between values do. */
const withSingleBlanks = (comment: string | null | undefined): string | null =>
  comment?.replace(/\n{3,}/g, '\n\n') ?? null;

/** Formats a YAML text without errors, with its comments. Simple values stay as they are written. */
export const formatYaml = (text: string): string => {
  const document = parseDocument(text, {
    ...{ version: '1.2', schema: 'core', uniqueKeys: false, prettyErrors: false, logLevel: 'silent' },
    keepSourceTokens: true,
    customTags: (tags) => tags.map((tag) => (typeof tag === 'string' ? tag : keepWritten(tag))),
  });
  visit(document, {
    Node: (_, node) => {
      node.commentBefore = withSingleBlanks(node.commentBefore);
      node.comment = withSingleBlanks(node.comment);
    },
  });
  return document.toString({ lineWidth: 0, verifyAliasOrder: false });
};
