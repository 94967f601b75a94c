import { type Alias, isAlias, isMap, isScalar, isSeq, type Node, type Pair, type Scalar, type YAMLMap } from 'yaml';
import { closestName } from '../../../schema/text/closest-name.ts';
import { isRounded, maxNesting, type SyntaxMessages, tooDeep, tooManyDigits } from '../syntax-messages.ts';
import type { Piece, SyntaxMember, SyntaxNode } from '../syntax-tree.ts';

/** The maximum number of values of a text, including those that its aliases repeat. */
export const maxValues = 100_000;

/** The tags of YAML's core schema, which do not change the values. */
const coreTags: ReadonlySet<string> = new Set(
  ['map', 'seq', 'str', 'null', 'bool', 'int', 'float'].map((name) => `tag:yaml.org,2002:${name}`),
);

/** The first mistake in a text that is valid YAML but not a valid config, with its place. */
export class YamlStop extends Error {
  readonly words: SyntaxMessages;
  readonly place: Piece;

  constructor(words: SyntaxMessages, place: Piece) {
    super(words.why);
    this.words = words;
    this.place = place;
  }
}

const say = (why: string, hint: string): SyntaxMessages => ({ why, hint });

const messages = {
  tag: say('only the tags of YAML itself, such as !!str, are read', 'Remove the tag.'),
  cycle: say('the alias is inside the value that it repeats', 'Write the value out.'),
  tooMany: say(
    `it has more than ${maxValues} values, with those that its aliases repeat`,
    'Use fewer aliases, or divide the file.',
  ),
  notFinite: say('infinity and NaN are not values here', 'Write a number.'),
  key: say('a key is not a string', 'Write a word or a number as the key.'),
  merge: say('"<<" takes an object, or a list of objects', 'Write "<<: *NAME", where NAME is the anchor of an object.'),
} as const;

const pieceOf = ({ range }: Node): Piece => {
  const [from, to] = range ?? [0, 0];
  return { offset: from, length: to - from };
};

/** A value that was read: its tree, the number of its values, and the number of its levels. */
interface Measured {
  readonly node: SyntaxNode;
  readonly values: number;
  readonly levels: number;
}

/** The key of a member that merges the members of other objects. */
const mergeKey = '<<';

class TreeBuilder {
  readonly #text: string;
  /** The last value of each anchor; undefined while it is being read. */
  readonly #anchors = new Map<string, Measured | undefined>();
  #values = 0;
  /** Whether every part means the same anywhere: nothing has an anchor, an alias, a merge or a tag. */
  isPlain = true;
  hasMerges = false;

  constructor(text: string) {
    this.#text = text;
  }

  build(node: Node, depth: number): Measured {
    const { tag } = node;
    if (tag !== undefined && !coreTags.has(tag)) throw new YamlStop(messages.tag, this.#tagPlace(node));
    if (tag !== undefined || isAlias(node)) this.isPlain = false;
    if (isAlias(node)) return this.#alias(node, depth);
    const anchor = isMap(node) || isSeq(node) || isScalar(node) ? node.anchor : undefined;
    if (anchor !== undefined) {
      this.#anchors.set(anchor, undefined);
      this.isPlain = false;
    }
    const measured = this.#value(node, depth);
    if (anchor !== undefined) this.#anchors.set(anchor, measured);
    return measured;
  }

  /** A tag is written before its value. */
  #tagPlace(node: Node): Piece {
    const { offset } = pieceOf(node);
    const end = this.#text.lastIndexOf('!', offset);
    let from = Math.max(0, end);
    while (from > 0 && this.#text[from - 1] === '!') from -= 1;
    return { offset: from, length: /\s/.exec(this.#text.slice(from, offset))?.index ?? Math.max(1, offset - from) };
  }

  #count(values: number, place: Piece): void {
    this.#values += values;
    if (this.#values > maxValues) throw new YamlStop(messages.tooMany, place);
  }

  #alias({ source, range }: Alias.Parsed | Alias, depth: number): Measured {
    const [from, to] = range ?? [0, 0];
    const place = { offset: from, length: to - from };
    const found = this.#anchors.get(source);
    if (found === undefined) {
      if (this.#anchors.has(source)) throw new YamlStop(messages.cycle, place);
      const near = closestName(source, [...this.#anchors.keys()]);
      const hint = near === undefined ? `Write "&${source}" before the intended value.` : `Did you mean "*${near}"?`;
      throw new YamlStop(say(`no anchor above is called "${source}"`, hint), place);
    }
    this.#count(found.values, place);
    if (depth + found.levels > maxNesting) throw new YamlStop(tooDeep, place);
    const anchored = found.node.anchored ?? found.node;
    return { ...found, node: { ...found.node, ...place, head: place.length, anchored } };
  }

  #value(node: Node, depth: number): Measured {
    const place = pieceOf(node);
    this.#count(1, place);
    if (isMap(node)) return this.#object(node, depth);
    if (isSeq(node)) {
      const items = node.items.map((item) => this.build(item as Node, depth + 1));
      return {
        node: { ...place, kind: 'array', head: 1, items: items.map((item) => item.node) },
        ...measure(items),
      };
    }
    const { value, source = '' } = node as Scalar;
    if (typeof value === 'number' && !Number.isFinite(value)) throw new YamlStop(messages.notFinite, place);
    if (typeof value === 'number' && isRounded(value, source)) throw new YamlStop(tooManyDigits, place);
    const literal = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
    return { node: { ...place, kind: 'literal', value: literal }, values: 1, levels: 0 };
  }

  #object(node: YAMLMap, depth: number): Measured {
    const place = pieceOf(node);
    const members: SyntaxMember[] = [];
    const merged: SyntaxNode[] = [];
    const inside: Measured[] = [];
    for (const { key, value } of node.items as Pair<Node, Node | null>[]) {
      const { name, ...at } = this.#key(key);
      const built = value === null ? this.#missing(at) : this.build(value, depth + 1);
      inside.push(built);
      if (name === mergeKey && isScalar(key) && key.type === 'PLAIN') merged.push(built.node);
      else members.push({ name, key: at, value: built.node });
    }
    const first = members[0]?.key.length ?? 1;
    const isBraced = this.#text.startsWith('{', place.offset);
    if (merged.length > 0) this.isPlain = false;
    this.hasMerges ||= merged.length > 0;
    const all = merged.length === 0 ? members : withMerged(members, merged);
    return { node: { ...place, kind: 'object', head: isBraced ? 1 : first, members: all }, ...measure(inside) };
  }

  /** A key without a colon has the value null, at the end of the key. */
  #missing({ offset, length }: Piece): Measured {
    const place = { offset: offset + length, length: 0 };
    this.#count(1, place);
    return { node: { ...place, kind: 'literal', value: null }, values: 1, levels: 0 };
  }

  #key(key: Node): Piece & { readonly name: string } {
    const place = pieceOf(key);
    if (key.tag !== undefined && !coreTags.has(key.tag)) throw new YamlStop(messages.tag, this.#tagPlace(key));
    if (!isScalar(key)) throw new YamlStop(messages.key, place);
    // As it is written: 0x10 and 1.0 are names, not numbers.
    const name = typeof key.value === 'string' ? key.value : (key.source ?? '');
    if (key.value === null) throw new YamlStop(messages.key, place);
    if (key.anchor !== undefined || key.tag !== undefined) this.isPlain = false;
    if (key.anchor !== undefined)
      this.#anchors.set(key.anchor, { node: { ...place, kind: 'literal', value: name }, values: 1, levels: 0 });
    return { name, ...place };
  }
}

const measure = (inside: readonly Measured[]): Pick<Measured, 'values' | 'levels'> => ({
  values: inside.reduce((sum, { values }) => sum + values, 1),
  levels: inside.reduce((max, { levels }) => Math.max(max, levels), 0) + 1,
});

const mergedObjects = (node: SyntaxNode): readonly (SyntaxNode & { readonly kind: 'object' })[] => {
  if (node.kind === 'object') return [node];
  if (node.kind === 'array' && node.items.every((item) => item.kind === 'object')) return node.items;
  throw new YamlStop(messages.merge, node);
};

/**
 * Returns the members of an object together with those of the objects that it merges. Its own win, then those that come first.
 */
const withMerged = (own: readonly SyntaxMember[], merged: readonly SyntaxNode[]): readonly SyntaxMember[] => {
  const names = new Set(own.map(({ name }) => name));
  const added = merged.flatMap(mergedObjects).flatMap(({ members }) =>
    members.filter(({ name }) => {
      const isNew = !names.has(name);
      names.add(name);
      return isNew;
    }),
  );
  return [...own, ...added];
};

/** A tree, with facts about it. */
export interface BuiltTree extends Measured {
  /** Whether every part means the same anywhere: nothing has an anchor, an alias, a merge or a tag. */
  readonly isPlain: boolean;
  /** Whether an object merges the members of others. */
  readonly hasMerges: boolean;
}

/** Converts a composed document to a tree with places, or returns what no config can mean. */
export const toTree = (root: Node, text: string): BuiltTree | YamlStop => {
  const builder = new TreeBuilder(text);
  try {
    const measured = builder.build(root, 0);
    const { isPlain, hasMerges } = builder;
    return { ...measured, isPlain, hasMerges };
  } catch (stop) {
    if (stop instanceof YamlStop) return stop;
    throw stop;
  }
};
