import type { AnswerEvent } from '../../../schema/conversation.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { startsCustom } from '../wire/custom-tool.ts';
import { objectOf, textOf } from '../wire/loose.ts';
import { decodeArguments, isUndecided } from './arguments.ts';

/**
 * One tool call of a stream. It is told once it is known what its arguments are: none, which stands for an empty object,
 * the input of a custom tool, or any others.
 */
export class CallDecoder {
  readonly #at: { readonly choice: 0; readonly block: number };
  readonly #id: string;
  readonly #name: string;
  /** The arguments so far, until the call has been told. */
  #held: string | undefined = '';
  /** They are those of a custom tool, which are told when they are complete. */
  #isCustom = false;

  constructor(block: number, call: JsonObject) {
    this.#at = { choice: 0, block };
    const id = textOf(call.id) ?? '';
    this.#id = id === '' ? `gw-call-${block}` : id;
    this.#name = textOf(objectOf(call.function)?.name) ?? '';
  }

  push(call: JsonObject): readonly AnswerEvent[] {
    const piece = textOf(objectOf(call.function)?.arguments) ?? '';
    if (this.#held === undefined) return this.#says(piece);
    this.#held += piece;
    if (this.#isCustom) return [];
    const text = this.#held;
    this.#isCustom = startsCustom(text) === 'yes';
    if (isUndecided(text)) return [];
    this.#held = undefined;
    return [this.#start(), ...this.#says(text)];
  }

  end(): readonly AnswerEvent[] {
    if (this.#held === undefined) return [];
    const { arguments: text, input } = decodeArguments(this.#held);
    this.#held = undefined;
    return [this.#start(input), ...this.#says(text)];
  }

  #start(input?: 'text'): AnswerEvent {
    return { kind: 'tool-call', ...this.#at, id: this.#id, name: this.#name, ...(input && { input }) };
  }

  #says(text: string): readonly AnswerEvent[] {
    return text === '' ? [] : [{ kind: 'tool-arguments', ...this.#at, text }];
  }
}
