import type { AnswerEvent, Finish } from '../../../../schema/conversation/answer.ts';
import type { ToolCallPart } from '../../../../schema/conversation/conversation.ts';
import { joinJson } from '../../../../schema/json/join-json.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { defined } from '../../shared/json/defined.ts';
import { GrowingObject } from '../../shared/json/growing-object.ts';
import { ShownReasoning } from '../../shared/parts/shown-reasoning.ts';
import { callPart } from '../parts/calls.ts';
import { SignedParts } from '../parts/signed-parts.ts';
import { encodeSignature, unsignedMark } from '../parts/thought-signature.ts';
import { answerPart } from './answer-parts.ts';
import { AnswerText } from './answer-text.ts';
import { encodeFinish } from './finish-reasons.ts';
import { encodeGrounding, type PlacedCitation } from './grounding.ts';
import { withOwnMembers } from './own-members.ts';

/** An event that belongs to one part of the answer. */
export type PartEvent = Exclude<
  AnswerEvent,
  { readonly kind: 'start' | 'extension' | 'finish' | 'usage' | 'error' | 'end' | 'logprobs' }
>;

const none: readonly JsonObject[] = [];

interface OpenCall {
  readonly block: number;
  /** The call without its arguments. */
  readonly call: Omit<ToolCallPart, 'arguments'>;
  /** The arguments so far. */
  text: string;
  readonly object: GrowingObject;
  readonly signature: string | undefined;
  ended: boolean;
}

/** Whether no more arguments can come. For the text of a custom tool that is never known. */
const isComplete = ({ call, object, ended }: OpenCall): boolean =>
  ended || (call.input === undefined && object.isWhole);

const encodeCall = ({ call, text, signature }: OpenCall): JsonObject => ({
  ...callPart({ ...call, arguments: text }),
  ...(signature === undefined ? {} : { thoughtSignature: signature }),
});

/** One candidate of a stream. A call is written once its arguments are complete, and calls keep their order. */
export class ChoiceEncoder {
  readonly #index: number;
  readonly #signed = new SignedParts();
  readonly #said = new AnswerText();
  readonly #citations: PlacedCitation[] = [];
  /** The members of the candidate that only this format has. */
  readonly #own: JsonObject[] = [];
  /** Block → the part of its reasoning that was shown. */
  readonly #shown = new Map<number, ShownReasoning>();
  /** The calls by block, in the order in which they began. */
  readonly #calls = new Map<number, OpenCall>();
  #hasParts = false;
  #hasCalls = false;
  finish: Finish | undefined;

  constructor(index: number) {
    this.#index = index;
  }

  /** Whether anything was written. */
  get hasParts(): boolean {
    return this.#hasParts;
  }

  /** Returns the parts to send now. */
  push(event: PartEvent): readonly JsonObject[] {
    const parts = [...this.#completeCalls(event.block), ...this.#write(event)];
    if (parts.length > 0) this.#hasParts = true;
    return parts;
  }

  /** Sets the finish, and returns the calls that are still waiting. Some services send more calls after it. */
  finishWith(finish: Finish): readonly JsonObject[] {
    this.finish = finish;
    return this.takeCalls();
  }

  /** Returns the calls that are still waiting. */
  takeCalls(): readonly JsonObject[] {
    const parts = [...this.#calls.values()].map(encodeCall);
    this.#calls.clear();
    if (parts.length > 0) this.#hasParts = true;
    return parts;
  }

  /** Returns the last candidate of the stream, which has an empty text, as in the vendor's own streams. */
  last(): JsonObject {
    const [part = { text: '' }] = this.#signed.end();
    const candidate = defined({
      content: { role: 'model', parts: [part] },
      ...encodeFinish(this.finish ?? { reason: 'other' }),
      index: this.#index,
      groundingMetadata: encodeGrounding(this.#citations, this.#said),
    }) as JsonObject;
    return withOwnMembers(candidate, joinJson(this.#own));
  }

  extend(value: JsonObject): void {
    this.#own.push(value);
  }

  #write(event: PartEvent): readonly JsonObject[] {
    switch (event.kind) {
      case 'text':
      case 'refusal':
        if (event.text === '') return none;
        this.#said.say(event.block, event.text);
        return [this.#signed.write({ text: event.text })];
      case 'reasoning':
        return this.#reasoning(event);
      case 'tool-call': {
        const { choice: _choice, block, ...call } = event;
        const signature = this.#signed.take() ?? (this.#hasCalls ? undefined : unsignedMark);
        this.#hasCalls = true;
        this.#calls.set(block, { block, call, text: '', object: new GrowingObject(), signature, ended: false });
        return none;
      }
      case 'tool-arguments': {
        const open = this.#calls.get(event.block);
        if (open !== undefined) open.text += event.text;
        open?.object.push(event.text);
        return none;
      }
      case 'block-end': {
        const open = this.#calls.get(event.block);
        if (open !== undefined) open.ended = true;
        return none;
      }
      case 'citation':
        this.#citations.push({ block: event.block, citation: event.citation });
        return none;
      case 'part': {
        const wire = answerPart(event.part);
        return wire === undefined ? none : [this.#signed.write(wire)];
      }
    }
  }

  #reasoning(event: Extract<PartEvent, { kind: 'reasoning' }>): readonly JsonObject[] {
    const shown = this.#shown.get(event.block) ?? new ShownReasoning();
    this.#shown.set(event.block, shown);
    const text = shown.push(event);
    const thought = text === '' ? none : [this.#signed.write({ text, thought: true })];
    return event.bound === undefined ? thought : [...thought, ...this.#signed.sign(encodeSignature(event.bound))];
  }

  /** Returns the first calls that are complete, once the answer continues in another block. */
  #completeCalls(block: number): readonly JsonObject[] {
    const parts: JsonObject[] = [];
    for (const open of this.#calls.values()) {
      if ((open.block === block && !open.ended) || !isComplete(open)) break;
      this.#calls.delete(open.block);
      parts.push(encodeCall(open));
    }
    return parts;
  }
}
