import type { AnswerEvent } from '../../../schema/conversation.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { objectOf, textOf } from '../wire/loose.ts';
import { argumentsText, mayBeNone } from './arguments.ts';

/** One tool call of a stream. Its arguments may be empty or `null`, which stands for an empty object. */
export class CallDecoder {
  readonly #block: number;
  /** Arguments that may still turn out to be none. */
  #held: string | undefined = '';

  constructor(block: number) {
    this.#block = block;
  }

  start(call: JsonObject): readonly AnswerEvent[] {
    const id = textOf(call.id) ?? '';
    return [
      {
        kind: 'tool-call',
        choice: 0,
        block: this.#block,
        id: id === '' ? `gw-call-${this.#block}` : id,
        name: textOf(objectOf(call.function)?.name) ?? '',
      },
      ...this.delta(call),
    ];
  }

  delta(call: JsonObject): readonly AnswerEvent[] {
    const piece = textOf(objectOf(call.function)?.arguments) ?? '';
    if (this.#held === undefined) return this.#says(piece);
    this.#held += piece;
    if (mayBeNone(this.#held)) return [];
    const text = this.#held;
    this.#held = undefined;
    return this.#says(text);
  }

  end(): readonly AnswerEvent[] {
    if (this.#held === undefined) return [];
    const text = argumentsText(this.#held);
    this.#held = undefined;
    return this.#says(text);
  }

  #says(text: string): readonly AnswerEvent[] {
    return text === '' ? [] : [{ kind: 'tool-arguments', choice: 0, block: this.#block, text }];
  }
}
