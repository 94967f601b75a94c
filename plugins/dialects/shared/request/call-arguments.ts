import type { ToolCallPart } from '../../../../schema/conversation/conversation.ts';
import type { Json } from '../../../../schema/json/json.ts';
import { findText } from '../../../../schema/json/loose.ts';
import { parseObject } from '../../../../schema/json/parse-json.ts';
import { customArguments, customInput, startsCustom } from './custom-tool.ts';

const nothing = 'null';

/** Returns the arguments of a call as JSON text, or an empty object if there are none: models then write nothing, or `null`. */
export const argumentsText = (wire: Json | undefined): string => {
  const text = findText(wire) ?? '';
  return text.trim() === '' || text.trim() === nothing ? '{}' : text;
};

/** Decodes the arguments of a call, or the input of one that stands for a custom tool's. */
export const decodeArguments = (wire: Json | undefined): Pick<ToolCallPart, 'arguments' | 'input'> => {
  const text = argumentsText(wire);
  const input = customInput(parseObject(text));
  return input === undefined ? { arguments: text } : { arguments: input, input: 'text' };
};

/** Encodes the arguments or the input of a call. */
export const callArguments = ({ arguments: text, input }: Pick<ToolCallPart, 'arguments' | 'input'>): string =>
  input === 'text' ? JSON.stringify(customArguments(text)) : argumentsText(text);

/** Whether the beginning of a call's arguments does not yet show that they are those of a function with arguments. */
export const isUndecided = (beginning: string): boolean =>
  (beginning.length < 100 && nothing.startsWith(beginning.trim())) || startsCustom(beginning) !== 'no';

/** The most characters of arguments that are kept. */
const maxLength = 1_000_000;

/**
 * The arguments of a call as they arrive. They are parsed only if it matters whether they are whole. Those that are longer than a
 * million characters are not kept, and never whole.
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

  /** Whether there are some, which are not whole. */
  get isTorn(): boolean {
    return this.#last !== '' && !this.isWhole;
  }

  get isWhole(): boolean {
    if (this.#last !== '}' || this.#text.length < 2 * this.#tried) return false;
    this.#tried = this.#text.length;
    return parseObject(this.#text) !== undefined;
  }
}
