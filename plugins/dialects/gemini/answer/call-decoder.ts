import type { AnswerEvent } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { itemsOf, objectOf, textOf } from '../../../../schema/json/loose.ts';
import { decodeInput } from '../../wire/tools/call-input.ts';
import { PartialArguments } from './partial-arguments.ts';

const none: readonly AnswerEvent[] = [];

interface OpenCall {
  readonly block: number;
  readonly args: PartialArguments;
}

/** What a candidate's calls need of it. */
export interface CallOwner {
  readonly choice: number;
  nextBlock(): number;
  /** An id for a call that has none. */
  makeId(): string;
}

/** The calls of a candidate: each comes whole, or its arguments follow in pieces while `willContinue` says so. */
export class CallDecoder {
  readonly #owner: CallOwner;
  #open: OpenCall | undefined;

  constructor(owner: CallOwner) {
    this.#owner = owner;
  }

  push(call: JsonObject): readonly AnswerEvent[] {
    const name = textOf(call.name);
    if (name === undefined) return this.#continue(call);
    const before = this.close();
    const { choice } = this.#owner;
    const block = this.#owner.nextBlock();
    const id = textOf(call.id) ?? '';
    const start = { kind: 'tool-call' as const, choice, block, id: id === '' ? this.#owner.makeId() : id, name };
    if (call.willContinue === true || itemsOf(call.partialArgs) !== undefined) {
      this.#open = { block, args: new PartialArguments() };
      return [...before, start, ...this.#continue(call)];
    }
    const { arguments: text, ...input } = decodeInput(objectOf(call.args));
    return [...before, { ...start, ...input }, { kind: 'tool-arguments', choice, block, text }];
  }

  /** The arguments of the open call, which is complete. */
  close(): readonly AnswerEvent[] {
    if (this.#open === undefined) return none;
    const { block, args } = this.#open;
    this.#open = undefined;
    return [{ kind: 'tool-arguments', choice: this.#owner.choice, block, text: args.toText() }];
  }

  #continue(call: JsonObject): readonly AnswerEvent[] {
    this.#open?.args.push(call.partialArgs);
    return call.willContinue === true ? none : this.close();
  }
}
