import { exactText } from '../../../../schema/json/exact-numbers.ts';
import type { Json } from '../../../../schema/json/json.ts';
import { findObject, findText } from '../../../../schema/json/loose.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';

/** Returns the arguments of a call as text. Some providers send the object itself. */
export const callText = (wire: Json | undefined): string => {
  const object = findObject(wire);
  return object === undefined ? (findText(wire) ?? '') : exactText(object);
};

/** The most characters of arguments that are kept. */
const maxLength = 1_000_000;

/**
 * The arguments of a call as they arrive. They are parsed only if another name follows them. Those that are longer than a million
 * characters are not kept, and never whole.
 */
export class CallArguments {
  #text = '';
  /** The last character other than white space. */
  #last = '';
  /** The length at which they were last parsed in vain. They are parsed again at twice that, so that the work stays linear. */
  #tried = 0;

  push(piece: string): void {
    this.#text = this.#text.length + piece.length > maxLength ? '' : this.#text + piece;
    this.#last = piece.trimEnd().at(-1) ?? this.#last;
  }

  get isWhole(): boolean {
    if (this.#last !== '}' || this.#text.length < 2 * this.#tried) return false;
    this.#tried = this.#text.length;
    return parseObject(this.#text) !== undefined;
  }
}
