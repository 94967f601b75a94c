/** The maximum nesting of sections in a template, and of partials in partials. */
export const maxLevels = 32;
/** The maximum size of a template, and of what is rendered from it, in bytes of UTF-8. */
export const maxBytes: number = 1024 * 1024;
/** The maximum number of steps of one rendering: nodes rendered, items visited, and objects in which a name was looked up. */
export const maxSteps = 1_000_000;

/** Thrown if a template cannot be rendered with these variables. The message is one sentence. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

/** A place in a template's text. Both start at 1; columns count UTF-16 code units, and lines end at `\n`. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A mistake in a template. */
export interface TemplateProblem extends Position {
  /** A sentence that states what is wrong. */
  readonly message: string;
  /** A sentence that states how to correct it. */
  readonly hint: string;
}

/** The parts of a dotted name; empty for `.`, the current item. */
export type Path = readonly string[];

/** A reference to a partial, written as `{{>slug}}`, `{{>slug@5}}` or `{{>slug@latest}}`. */
export interface PartialReference {
  /** The reference as written: `slug@5`. */
  readonly name: string;
  readonly slug: string;
  /** A number from 1. The published version is used if none is written. */
  readonly version: number | 'latest' | 'published';
}

/** `starts` are the offsets in `text` of the lines that start with the indentation of a partial. */
export interface TextNode {
  readonly kind: 'text';
  readonly text: string;
  readonly starts: readonly number[];
}

interface ValueNode {
  readonly kind: 'value';
  readonly path: Path;
  readonly at: Position;
}

/**
 * A `section` is rendered for each item of a list, or once for a true value; an `inverted` section once for a false or empty
 * value.
 */
export interface SectionNode {
  readonly kind: 'section' | 'inverted';
  readonly path: Path;
  readonly at: Position;
  readonly nodes: readonly TemplateNode[];
}

/** `indentation` is the white space before a partial that is alone on its line. */
export interface PartialNode {
  readonly kind: 'partial';
  readonly reference: PartialReference;
  readonly indentation: string;
  readonly at: Position;
}

export type TemplateNode = TextNode | ValueNode | SectionNode | PartialNode;

/** A parsed template. It is immutable, and can be rendered any number of times. */
export interface Template {
  readonly nodes: readonly TemplateNode[];
}

const pattern = /^(?<slug>[a-zA-Z0-9_-]{1,255})(?:@(?<version>latest|[1-9]\d{0,8}))?$/;

const toVersion = (version: string | undefined): PartialReference['version'] => {
  if (version === undefined) return 'published';
  return version === 'latest' ? version : Number(version);
};

/** Parses the reference to a partial in a tag; returns undefined if it is not valid. */
export const partialReference = (name: string): PartialReference | undefined => {
  const { slug, version } = pattern.exec(name)?.groups ?? {};
  return slug === undefined ? undefined : { name, slug, version: toVersion(version) };
};

/** Returns all nodes of a template in the order of its text, including those in sections. */
const nodesIn = ({ nodes }: Template): readonly TemplateNode[] =>
  nodes.flatMap((node) => ('nodes' in node ? [node, ...nodesIn(node)] : [node]));

/** The approximate size of a node in memory, in bytes, including its position and its path. */
const nodeBytes = 200;

/** Estimates the bytes of templates in memory, without the texts that they were parsed from. */
export const templateBytes = (templates: readonly Template[]): number =>
  templates
    .flatMap(nodesIn)
    .reduce((sum, node) => sum + nodeBytes + (node.kind === 'text' ? node.text.length * 2 : 0), 0);

/** Estimates the bytes of a parsed version in memory, with the text that its templates were parsed from. */
export const versionBytes = (text: string, templates: readonly Template[]): number =>
  1 + text.length * 2 + templates.flatMap(nodesIn).length * nodeBytes;

/** Returns the partials that a template includes directly, with each place, in the order of the text. */
export const findPartials = (template: Template): readonly (PartialReference & Position)[] =>
  nodesIn(template).flatMap((node) => (node.kind === 'partial' ? [{ ...node.reference, ...node.at }] : []));

/** Creates a function that returns the line and column of an offset in the text. */
export const positionFinder = (text: string): ((offset: number) => Position) => {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
};
