import type { JsonPiece } from './json-pieces.ts';

/** A comment on lines of its own. */
export interface OwnComment {
  readonly text: string;
  readonly hasBlankBefore: boolean;
}

/** A member of an object, an item of a list, or the value of a whole text, with the comments that belong to it. */
export interface Entry {
  readonly before: readonly OwnComment[];
  /** Whether a blank line precedes its key or value. */
  readonly hasBlankBefore: boolean;
  readonly key?: string;
  readonly value: JsonLayout;
  /** The comments after it on its line. */
  readonly behind: readonly string[];
}

export interface Container {
  readonly open: '{' | '[';
  /** Whether its first entry is on a new line: objects keep the form that their author chose. */
  readonly isOpened: boolean;
  /** The comments on the line of its bracket. */
  readonly atBracket: readonly string[];
  readonly entries: readonly Entry[];
  /** The comments after its last entry. */
  readonly last: readonly OwnComment[];
}

/** A JSON value to be formatted; a simple value is its own text. */
export type JsonLayout = string | Container;

/** The value of a text, and the comments after it. */
export interface TextLayout {
  readonly entry: Entry;
  readonly last: readonly OwnComment[];
}

/** Reads pieces one by one. The text has no errors, so each piece is where it is expected. */
class Reader {
  readonly #pieces: readonly JsonPiece[];
  #at = 0;

  constructor(pieces: readonly JsonPiece[]) {
    this.#pieces = pieces;
  }

  text(): TextLayout {
    const entry = this.#entry(this.#comments(), false);
    return { entry, last: this.#comments() };
  }

  #next(ahead = 0): JsonPiece | undefined {
    return this.#pieces[this.#at + ahead];
  }

  #is(text: string): boolean {
    const next = this.#next();
    return next?.kind === 'token' && next.text === text;
  }

  #take(): string {
    const { text = '' } = this.#next() ?? {};
    this.#at += 1;
    return text;
  }

  /** Reads comments up to the next token. */
  #comments(): readonly OwnComment[] {
    const found: OwnComment[] = [];
    for (let next = this.#next(); next?.kind === 'comment'; next = this.#next())
      found.push({ text: this.#take(), hasBlankBefore: next.breaks > 1 });
    return found;
  }

  /** Whether only comments follow on this line. */
  #endsLine(): boolean {
    let ahead = 0;
    while (this.#next(ahead)?.kind === 'comment' && this.#next(ahead)?.breaks === 0) ahead += 1;
    const next = this.#next(ahead);
    return ahead > 0 && (next === undefined || next.breaks > 0);
  }

  /** Reads the comments of this line, if nothing else follows on it. */
  #restOfLine(): readonly string[] {
    const found: string[] = [];
    if (this.#endsLine())
      while (this.#next()?.kind === 'comment' && this.#next()?.breaks === 0) found.push(this.#take());
    return found;
  }

  #entry(before: readonly OwnComment[], isMember: boolean): Entry {
    const hasBlankBefore = (this.#next()?.breaks ?? 0) > 1;
    const key = isMember ? this.#take() : undefined;
    const amid = [...this.#comments()];
    if (isMember) this.#take();
    amid.push(...this.#comments());
    const value = this.#value();
    const behind: string[] = [];
    while (this.#next()?.kind === 'comment' && this.#next()?.breaks === 0) behind.push(this.#take());
    return { before: [...before, ...amid], hasBlankBefore, ...(key === undefined ? {} : { key }), value, behind };
  }

  #value(): JsonLayout {
    return this.#is('{') || this.#is('[') ? this.#container() : this.#take();
  }

  #container(): Container {
    const open = this.#take() === '{' ? '{' : '[';
    const isOpened = (this.#next()?.breaks ?? 0) > 0;
    const atBracket = this.#restOfLine();
    const entries: Entry[] = [];
    let before = this.#comments();
    while (!this.#is('}') && !this.#is(']')) {
      const entry = this.#entry(before, open === '{');
      const amid = this.#comments();
      let { behind } = entry;
      if (this.#is(',')) {
        this.#take();
        const hasEnded = amid.length > 0 || behind.some((comment) => comment.startsWith('//'));
        if (!hasEnded) behind = [...behind, ...this.#restOfLine()];
      }
      entries.push({ ...entry, behind });
      before = [...amid, ...this.#comments()];
    }
    this.#take();
    return { open, isOpened, atBracket, entries, last: before };
  }
}

/** Reads the layout of a JSON text without errors: its values, its comments and its blank lines. */
export const toJsonLayout = (pieces: readonly JsonPiece[]): TextLayout => new Reader(pieces).text();
