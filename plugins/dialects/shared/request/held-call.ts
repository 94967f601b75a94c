import type { AnswerEvent } from '../../../../schema/conversation/answer.ts';
import { decodeArguments, isUndecided } from './call-arguments.ts';
import { appendInput, startsCustom } from './custom-tool.ts';

export interface CallStart {
  readonly block: number;
  readonly id: string;
  readonly name: string;
}

/**
 * One tool call of a stream in a format that does not announce the kind of a call's arguments. It is reported once that is known:
 * no arguments, which stand for an empty object, the input of a custom tool, or any others.
 */
export class HeldCall {
  readonly #at: { readonly choice: 0; readonly block: number };
  readonly #call: Pick<CallStart, 'id' | 'name'>;
  /** The arguments so far, until the call has been reported. */
  #held: string | undefined = '';
  /** Whether they are those of a custom tool, which are reported once they are complete. */
  #isCustom = false;

  constructor({ block, id, name }: CallStart) {
    this.#at = { choice: 0, block };
    this.#call = { id, name };
  }

  push(piece: string): readonly AnswerEvent[] {
    if (this.#held === undefined) return this.#says(piece);
    this.#held = appendInput(this.#held, piece);
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
    return { kind: 'tool-call', ...this.#at, ...this.#call, ...(input && { input }) };
  }

  #says(text: string): readonly AnswerEvent[] {
    return text === '' ? [] : [{ kind: 'tool-arguments', ...this.#at, text }];
  }
}
