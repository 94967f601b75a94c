import type { Json } from '../../../schema/json/json.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../../schema/json/pointer.ts';

/** Where a value and its key start: lines and columns from 1. */
export interface WrittenPlace {
  readonly key: string;
  readonly value: string;
}

export interface WrittenYaml {
  readonly text: string;
  readonly places: ReadonlyMap<JsonPointer, WrittenPlace>;
}

/** Returns a number from 0 to `count`, exclusive, different each time. */
type Pick = (count: number) => number;

const picker = (seed: number): Pick => {
  let state = seed >>> 0;
  return (count) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
};

/** Whether a string needs no quotes. */
const isPlain = (text: string): boolean =>
  /^[A-Za-z][\w.@/-]*(?: [\w.@/-]+)*$/.test(text) && !/^(?:true|false|null)$/i.test(text);

const breaks = /[\p{Cc}\u2028\u2029\uFEFF\uFFFE\uFFFF\p{Cs}]/u;

/**
 * Serialises a value in a different style for each seed: block and flow style, kinds of quotes, comments, anchors and aliases.
 */
class YamlWriter {
  readonly #pick: Pick;
  readonly #places = new Map<JsonPointer, WrittenPlace>();
  readonly #anchors = new Map<string, { readonly name: string; readonly pointer: JsonPointer }>();
  #count = 0;
  #text = '';

  constructor(pick: Pick) {
    this.#pick = pick;
  }

  write(value: Json): WrittenYaml {
    if (this.#chance(4)) this.#text += '%YAML 1.2\n---\n';
    this.#comments(0);
    this.#value(value, rootPointer, { indent: 0, isFlow: false, key: '', isInline: false });
    this.#text += '\n';
    if (this.#chance(5)) this.#text += '...\n# the end\n';
    return { text: this.#text, places: this.#places };
  }

  #chance(of: number): boolean {
    return this.#pick(of) === 0;
  }

  #here(): string {
    const lines = this.#text.split(/\r\n|\n/);
    return `${lines.length}:${(lines.at(-1) ?? '').length + 1}`;
  }

  #comments(indent: number): void {
    if (this.#chance(5)) this.#text += `${' '.repeat(indent)}# "a": {b: [\n`;
    if (this.#chance(8)) this.#text += '\n';
  }

  #scalar(value: Json): string {
    if (typeof value !== 'string') return JSON.stringify(value);
    if (isPlain(value) && !this.#chance(4)) return value;
    if (!breaks.test(value) && this.#chance(2)) return `'${value.replaceAll("'", "''")}'`;
    return JSON.stringify(value).replace(
      /[\u2028\u2029\uFEFF\u0085]/g,
      (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  }

  /** Copies the places of what an alias repeats. */
  #repeat(from: JsonPointer, to: JsonPointer): void {
    for (const [pointer, place] of [...this.#places])
      if (pointer.startsWith(`${from}/`)) this.#places.set(`${to}${pointer.slice(from.length)}` as JsonPointer, place);
  }

  #value(
    value: Json,
    pointer: JsonPointer,
    at: { readonly indent: number; readonly isFlow: boolean; readonly key: string; readonly isInline: boolean },
  ): void {
    const { indent, key } = at;
    const text = JSON.stringify(value);
    const known = this.#anchors.get(text);
    const note = (): void => void this.#places.set(pointer, { key, value: this.#here() });
    if (known !== undefined && pointer !== rootPointer && this.#chance(2)) {
      note();
      this.#text += `*${known.name}${at.isFlow ? ' ' : ''}`;
      this.#repeat(known.pointer, pointer);
      return;
    }
    const isLeaf = value === null || typeof value !== 'object' || Object.keys(value).length === 0;
    const isFlow = at.isFlow || isLeaf || (pointer !== rootPointer && this.#chance(3));
    const anchor = pointer !== rootPointer && this.#chance(4) ? `a${this.#count++}` : undefined;
    if (anchor !== undefined) this.#text += isFlow ? `&${anchor} ` : `&${anchor}`;
    if (isFlow) {
      note();
      this.#flow(value, pointer, indent);
    } else this.#block(value, pointer, { ...at, isInline: at.isInline && anchor === undefined });
    if (anchor !== undefined) this.#anchors.set(text, { name: anchor, pointer });
  }

  #gap(indent: number): void {
    if (this.#chance(6)) this.#text += ` # , ] }\n${' '.repeat(indent + 1)}`;
    else if (this.#chance(3)) this.#text += ' ';
  }

  #flow(value: Json, pointer: JsonPointer, indent: number): void {
    if (value === null || typeof value !== 'object') {
      this.#text += this.#scalar(value);
      return;
    }
    const isList = Array.isArray(value);
    this.#text += isList ? '[' : '{';
    for (const [name, item] of Object.entries(value)) {
      this.#gap(indent);
      const key = this.#here();
      if (!isList) this.#text += `${JSON.stringify(name)}: `;
      this.#value(item, childPointer(pointer, name), { indent, isFlow: true, key, isInline: false });
      this.#gap(indent);
      this.#text += ',';
    }
    this.#text += isList ? ']' : '}';
  }

  #block(
    value: Json & object,
    pointer: JsonPointer,
    { indent, key, isInline }: { readonly indent: number; readonly key: string; readonly isInline: boolean },
  ): void {
    const isList = Array.isArray(value);
    let isFirst = true;
    for (const [name, item] of Object.entries(value)) {
      if (!(isFirst && isInline)) {
        if (this.#text !== '' && !this.#text.endsWith('\n')) this.#text += this.#chance(6) ? ' # "\n' : '\n';
        this.#comments(indent);
        this.#text += ' '.repeat(indent);
      }
      if (isFirst) this.#places.set(pointer, { key, value: this.#here() });
      isFirst = false;
      const here = this.#here();
      this.#text += isList ? '-' : `${this.#scalar(name)}:`;
      const inside = indent + (isList ? 2 : 1 + this.#pick(3));
      const canInline = isList && item !== null && typeof item === 'object' && Object.keys(item).length > 0;
      this.#text += ' ';
      this.#value(item, childPointer(pointer, name), {
        indent: inside,
        isFlow: false,
        key: here,
        isInline: canInline && this.#chance(2),
      });
    }
  }
}

export const writeYaml = (value: Json, seed: number): WrittenYaml => new YamlWriter(picker(seed)).write(value);
