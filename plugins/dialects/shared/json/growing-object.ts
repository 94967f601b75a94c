import {
  backslash,
  closeBrace,
  closeBracket,
  openBrace,
  openBracket,
  quote,
} from '../../../../schema/json/json-bytes.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';

const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;

/**
 * The arguments of a call as they arrive. Their brackets show when they may be complete: the text is parsed once, when the
 * outermost object closes. Parsing it after each piece would take time that grows with the square of its length.
 */
export class GrowingObject {
  /** The text so far, until it is known whether it is an object. */
  #text = '';
  #depth = 0;
  #inString = false;
  #escaped = false;
  #state: 'before' | 'inside' | 'whole' | 'other' = 'before';

  /** Whether the text is a JSON object. Anything but white space after the object makes it another text. */
  get isWhole(): boolean {
    return this.#state === 'whole';
  }

  push(piece: string): void {
    if (this.#state === 'other') return;
    let from = 0;
    for (let at = 0; at < piece.length; at += 1) {
      this.#read(piece.charCodeAt(at));
      if (this.#state !== 'inside' || this.#depth > 0) continue;
      this.#text += piece.slice(from, at + 1);
      from = at + 1;
      this.#close();
    }
    if (this.#state === 'before' || this.#state === 'inside') this.#text += piece.slice(from);
  }

  #read(code: number): void {
    if (this.#state === 'inside') this.#inside(code);
    else if (isSpace(code)) return;
    else if (this.#state === 'before' && code === openBrace) {
      this.#state = 'inside';
      this.#depth = 1;
    } else this.#state = 'other';
  }

  #inside(code: number): void {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false;
      else if (code === backslash) this.#escaped = true;
      else if (code === quote) this.#inString = false;
    } else if (code === quote) this.#inString = true;
    else if (code === openBrace || code === openBracket) this.#depth += 1;
    else if (code === closeBrace || code === closeBracket) this.#depth -= 1;
  }

  #close(): void {
    this.#state = parseObject(this.#text) === undefined ? 'other' : 'whole';
    this.#text = '';
  }
}
