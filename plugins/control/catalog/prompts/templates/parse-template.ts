import { type ErrorAt, maxErrors, scanTags, type Tag } from './scan-tags.ts';
import {
  maxBytes,
  type Path,
  partialReference,
  positionFinder,
  type Template,
  type TemplateNode,
  type TemplateProblem,
  type TextNode,
} from './template.ts';

interface Line {
  readonly tags: Tag[];
  /** Whether it contains only white space besides its tags. */
  isBlank: boolean;
}

/** Finds the lines of a text that have tags. Line ends inside tags do not count. */
const linesWithTags = (text: string, tags: readonly Tag[]): readonly Line[] => {
  const lines: Line[] = [];
  let line: Line = { tags: [], isBlank: true };
  let from = 0;
  for (const tag of [...tags, undefined]) {
    for (const [index, piece] of text.slice(from, tag?.start).split('\n').entries()) {
      if (index > 0) line = { tags: [], isBlank: true };
      line.isBlank &&= piece.trim() === '';
    }
    if (tag === undefined) break;
    if (line.tags.push(tag) === 1) lines.push(line);
    from = tag.end;
  }
  return lines;
};

/** Whether only the tags of a line are rendered. A partial must be the only tag on the line. */
const isLone = ({ tags, isBlank }: Line): boolean =>
  isBlank && tags.every(({ kind }) => kind !== 'value' && (kind !== 'partial' || tags.length === 1));

const toPath = (name: string): Path => (name === '.' ? [] : name.split('.'));

/** Precedes a tag at the beginning of a line, where a partial's indentation is inserted. */
const lineStart: TextNode = { kind: 'text', text: '', starts: [0] };

const beginsLine = (text: string, offset: number): boolean => offset === 0 || text[offset - 1] === '\n';

/** Returns the offsets at which lines begin in a piece of a text. Empty lines are not indented. */
const startsIn = (text: string, start: number, end: number): readonly number[] => {
  const starts = beginsLine(text, start) ? [0] : [];
  for (let at = text.indexOf('\n', start); at !== -1 && at + 1 < end; at = text.indexOf('\n', at + 1))
    starts.push(at + 1 - start);
  return starts.filter((offset) => text[start + offset] !== '\n');
};

/** Creates the nodes of a text whose tags have no errors. On lines that contain only tags, the white space is omitted. */
const toNodes = (text: string, tags: readonly Tag[]): readonly TemplateNode[] => {
  const lone = new Set<Tag | undefined>(linesWithTags(text, tags).flatMap((line) => (isLone(line) ? line.tags : [])));
  const toPosition = positionFinder(text);
  const outer: TemplateNode[][] = [];
  let nodes: TemplateNode[] = [];

  /** Adds the text between two tags. Returns where it ends. */
  const addText = (before: Tag | undefined, after: Tag | undefined): number => {
    const from = before?.end ?? 0;
    const gap = text.slice(from, after?.start);
    const start = lone.has(before) ? from + `${gap}\n`.indexOf('\n') + 1 : from;
    const end = from + (lone.has(after) ? gap.lastIndexOf('\n') + 1 : gap.length);
    if (start < end) nodes.push({ kind: 'text', text: text.slice(start, end), starts: startsIn(text, start, end) });
    return end;
  };

  for (const [index, tag] of tags.entries()) {
    const { kind, name, start } = tag;
    const textEnd = addText(tags[index - 1], tag);
    if (!lone.has(tag) && beginsLine(text, start)) nodes.push(lineStart);
    const at = toPosition(start);
    const reference = kind === 'partial' ? partialReference(name) : undefined;
    if (reference !== undefined)
      nodes.push({ kind: 'partial', reference, indentation: text.slice(textEnd, start), at });
    else if (kind === 'value') nodes.push({ kind, path: toPath(name), at });
    else if (kind === 'section' || kind === 'inverted') {
      const inner: TemplateNode[] = [];
      nodes.push({ kind, path: toPath(name), at, nodes: inner });
      outer.push(nodes);
      nodes = inner;
    } else if (kind === 'close') nodes = outer.pop() ?? nodes;
  }
  addText(tags.at(-1), undefined);
  return nodes;
};

type ParsedTemplate =
  | { readonly template: Template; readonly problems?: undefined }
  | { readonly problems: readonly TemplateProblem[]; readonly template?: undefined };

const tooLong: TemplateProblem = {
  line: 1,
  column: 1,
  message: 'The template is larger than 1 MiB.',
  hint: 'Give long texts as the values of variables.',
};

const toProblems = (text: string, errors: readonly ErrorAt[]): readonly TemplateProblem[] => {
  const toPosition = positionFinder(text);
  return [...errors]
    .sort((a, b) => a.offset - b.offset)
    .slice(0, maxErrors)
    .map(({ offset, message, hint }) => ({ ...toPosition(offset), message, hint }));
};

/** Parses a template, or returns its problems, at most 20 and in the order of the text. Takes linear time. */
export const parseTemplate = (text: string): ParsedTemplate => {
  if (Buffer.byteLength(text) > maxBytes) return { problems: [tooLong] };
  const { tags, errors } = scanTags(text);
  const problems = toProblems(text, errors);
  return problems.length > 0 ? { problems } : { template: { nodes: toNodes(text, tags) } };
};
