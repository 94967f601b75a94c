/** Where an element of an array is in the stream; `to` is exclusive. */
export interface ElementPlace {
  readonly from: number;
  readonly to: number;
}

const [quote, comma, open, backslash, close, openBrace, closeBrace] = [34, 44, 91, 92, 93, 123, 125];

const isSpace = (byte: number): boolean => byte === 32 || byte === 10 || byte === 13 || byte === 9;

/** What may come next outside of elements. */
type Expected = 'array' | 'first' | 'element' | 'comma' | 'nothing';

/** What the open element is: an object or a list, a string, or a number or word, which lasts until what follows it. */
type Element = 'nested' | 'string' | 'word';

/**
 * Finds the elements of one JSON array byte by byte, by its brackets, strings and commas. What is inside an element is
 * not checked.
 */
export class ArrayScanner {
  #expected: Expected = 'array';
  #element: Element | undefined;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** Where the next byte, and the open element, are in the stream. */
  #at = 0;
  #from = 0;

  /** Whether the array has ended. */
  get isClosed(): boolean {
    return this.#expected === 'nothing';
  }

  /** Gives the elements that the chunk completes. Throws an `Error` at a byte that cannot be part of an array. */
  *scan(chunk: Buffer): Generator<ElementPlace> {
    for (const byte of chunk) {
      if (this.#element === undefined) this.#outside(byte);
      else if (this.#element === 'word' ? endsWord(byte) : this.#endsWith(byte)) {
        const isWord = this.#element === 'word';
        yield { from: this.#from, to: isWord ? this.#at : this.#at + 1 };
        this.#element = undefined;
        if (isWord) this.#outside(byte);
      }
      this.#at += 1;
    }
  }

  #outside(byte: number): void {
    if (isSpace(byte)) return;
    const expected = this.#expected;
    const mayClose = expected === 'comma' || expected === 'first';
    if (mayClose && byte === close) this.#expected = 'nothing';
    else if (expected === 'comma' && byte === comma) this.#expected = 'element';
    else if (expected === 'array' && byte === open) this.#expected = 'first';
    else if ((expected === 'first' || expected === 'element') && !endsWord(byte)) this.#begin(byte);
    else throw new Error('The stream is not a JSON array.');
  }

  #begin(byte: number): void {
    this.#from = this.#at;
    this.#expected = 'comma';
    this.#depth = byte === openBrace || byte === open ? 1 : 0;
    this.#inString = byte === quote;
    if (this.#depth === 1) this.#element = 'nested';
    else this.#element = this.#inString ? 'string' : 'word';
  }

  /** Whether this byte is the last of an element that is no word. */
  #endsWith(byte: number): boolean {
    if (this.#inString) return this.#endsString(byte) && this.#element === 'string';
    if (byte === quote) this.#inString = true;
    else if (byte === openBrace || byte === open) this.#depth += 1;
    else if (byte === closeBrace || byte === close) this.#depth -= 1;
    return this.#depth === 0;
  }

  #endsString(byte: number): boolean {
    if (this.#escaped) this.#escaped = false;
    else if (byte === backslash) this.#escaped = true;
    else if (byte === quote) this.#inString = false;
    return !this.#inString;
  }
}

const endsWord = (byte: number): boolean => byte === comma || byte === close || byte === closeBrace || isSpace(byte);
