import type { Token } from './mustache-tokens.ts';
import { partialReference } from './partial-reference.ts';
import { positionFinder } from './position-finder.ts';
import type { Tag } from './tag.ts';
import type { Path, TemplateNode, TextNode } from './template.ts';

const toPath = (name: string): Path => (name === '.' ? [] : name.split('.'));

const lineStart: TextNode = { kind: 'text', text: '', starts: [0] };

/** Where lines begin in a piece of a text; empty lines are not indented. */
const startsIn = (text: string, start: number, end: number): readonly number[] => {
  const starts: number[] = [];
  if (start === 0 || text[start - 1] === '\n') starts.push(0);
  for (let at = text.indexOf('\n', start); at !== -1 && at + 1 < end; at = text.indexOf('\n', at + 1))
    starts.push(at + 1 - start);
  return starts.filter((offset) => text[start + offset] !== '\n');
};

interface Source {
  readonly text: string;
  readonly tags: readonly Tag[];
  /** The tags on whose line nothing else is. */
  readonly lone: ReadonlySet<Tag>;
}

/** A function that turns mustache's tokens of a text into nodes. */
export const nodesMaker = ({ text, tags, lone }: Source): ((tokens: readonly Token[]) => readonly TemplateNode[]) => {
  const tagAt = new Map(tags.map((tag) => [tag.start, tag]));
  const toPosition = positionFinder(text);

  /** The place of a partial's indentation, if a line begins with a tag and is not removed. */
  const toStart = (tag: Tag | undefined): readonly TextNode[] =>
    tag !== undefined && !lone.has(tag) && (tag.start === 0 || text[tag.start - 1] === '\n') ? [lineStart] : [];

  const toIndentation = (tag: Tag): string =>
    lone.has(tag) ? text.slice(text.lastIndexOf('\n', tag.start - 1) + 1, tag.start) : '';

  const toNode = (tag: Tag, token: Token): readonly TemplateNode[] => {
    const { kind, name, start } = tag;
    const at = toPosition(start);
    if (kind === 'value') return [{ kind, path: toPath(name), at }];
    if (kind === 'section' || kind === 'inverted') {
      const [, , , , inner, close] = token;
      const nodes = [...toNodes(inner as readonly Token[]), ...toStart(tagAt.get(close as number))];
      return [{ kind, path: toPath(name), at, nodes }];
    }
    const reference = kind === 'partial' ? partialReference(name) : undefined;
    return reference === undefined ? [] : [{ kind: 'partial', reference, indentation: toIndentation(tag), at }];
  };

  const toNodes = (tokens: readonly Token[]): readonly TemplateNode[] =>
    tokens.flatMap((token) => {
      const [kind, value, start, end] = token;
      if (kind === 'text') return [{ kind, text: value, starts: startsIn(text, start, end) }];
      const tag = tagAt.get(start);
      return tag === undefined ? [] : [...toStart(tag), ...toNode(tag, token)];
    });

  return toNodes;
};
