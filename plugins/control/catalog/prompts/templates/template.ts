/** A place in a template's text. Both start at 1; columns count UTF-16 code units, and lines end at `\n`. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A mistake in a template. */
export interface TemplateProblem extends Position {
  /** The fact, in one sentence. */
  readonly message: string;
  /** What to do. */
  readonly hint: string;
}

/** The parts of a dotted name; empty for `.`, the current item. */
export type Path = readonly string[];

/** A reference to a partial, as `{{>slug}}`, `{{>slug@5}}` or `{{>slug@latest}}` writes it. */
export interface PartialReference {
  /** As written: `slug@5`. */
  readonly name: string;
  readonly slug: string;
  /** A number from 1; without one it is the published version. */
  readonly version: number | 'latest' | 'published';
}

/** `starts` are the offsets in `text` at which lines begin that the indentation of a partial precedes. */
export interface TextNode {
  readonly kind: 'text';
  readonly text: string;
  readonly starts: readonly number[];
}

export interface ValueNode {
  readonly kind: 'value';
  readonly path: Path;
  readonly at: Position;
}

/** `section` is rendered for each item of a list, or once for what is true; `inverted` once for what is false or empty. */
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

/** A parsed template; immutable, and rendered any number of times. */
export interface Template {
  readonly nodes: readonly TemplateNode[];
}
