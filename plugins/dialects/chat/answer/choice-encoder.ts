import type { AnswerEvent, Finish } from '../../../../schema/conversation/answer.ts';
import { tagBound } from '../../../../schema/conversation/bound.ts';
import type { BoundValue, Citation, MediaPart } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findObject } from '../../../../schema/json/loose.ts';
import { ShownReasoning } from '../../wire/parts/shown-reasoning.ts';
import { encodeAnnotation } from '../parts/annotations.ts';
import { encodeBound } from '../parts/content-blocks.ts';
import { audioData, encodeAudio, encodeImages } from '../parts/made-media.ts';
import { TextSpans } from '../parts/text-spans.ts';
import { withSignature } from '../parts/thought-signature.ts';
import { encodeFinish } from './finish-reasons.ts';
import { encodeLogprobs } from './logprobs.ts';

/** An event that belongs to one choice. */
export type ChoiceEvent = Exclude<AnswerEvent, { readonly kind: 'start' | 'usage' | 'error' | 'end' }>;

type CallEvent = Extract<ChoiceEvent, { kind: 'tool-call' | 'tool-arguments' }>;

interface OpenCall {
  readonly index: number;
  readonly isCustom: boolean;
}

/** The members of a choice in a chunk. */
export interface ChoiceChunk {
  readonly delta: JsonObject;
  readonly logprobs?: JsonObject | null;
  readonly finish?: string;
}

const none: readonly ChoiceChunk[] = [];

/** One choice of a stream. */
export class ChoiceEncoder {
  readonly #strict: boolean;
  readonly #calls = new Map<number, OpenCall>();
  readonly #reasoning = new Map<number, ShownReasoning>();
  readonly #texts = new TextSpans();
  /** They are sent at the end, because their place in the content depends on the texts. */
  readonly #citations: { readonly block: number; readonly citation: Citation }[] = [];
  /** A bound value that belongs to a call, if the next event is one. */
  #held: { readonly block: number; readonly bound: BoundValue } | undefined;
  #hasAudio = false;
  finished = false;

  constructor(strict: boolean) {
    this.#strict = strict;
  }

  push(event: ChoiceEvent): readonly ChoiceChunk[] {
    switch (event.kind) {
      case 'block-end':
        return none;
      case 'reasoning':
        return this.#reason(event);
      case 'tool-call':
      case 'tool-arguments':
        return this.#call(event);
      case 'finish':
        return [...this.#release(), ...this.#cite(), this.#finish(event.finish)];
      default:
        return [...this.#release(), ...this.#write(event)];
    }
  }

  #write(
    event: Exclude<ChoiceEvent, { kind: 'block-end' | 'reasoning' | 'finish' } | CallEvent>,
  ): readonly ChoiceChunk[] {
    switch (event.kind) {
      case 'text':
        this.#texts.grow(event.block, event.text);
        return [{ delta: { content: event.text, ...this.#block(event.block, { text: event.text }) } }];
      case 'refusal':
        return [{ delta: { refusal: event.text } }];
      case 'citation':
        this.#citations.push(event);
        return none;
      case 'logprobs':
        return event.logprobs.length === 0 ? none : [{ delta: {}, logprobs: encodeLogprobs(event.logprobs) }];
      case 'extension': {
        const delta = event.dialect === 'chat' ? findObject(event.value.message) : undefined;
        return delta === undefined ? none : [{ delta }];
      }
      case 'part':
        return event.part.kind === 'media' ? this.#media(event.part) : none;
    }
  }

  /** Returns a piece of a block. Only non-strict clients get blocks. */
  #block(index: number, delta: JsonObject): JsonObject {
    return this.#strict ? {} : { content_blocks: [{ index, delta }] };
  }

  #reason(event: Extract<ChoiceEvent, { kind: 'reasoning' }>): readonly ChoiceChunk[] {
    const { block, bound } = event;
    const released = this.#held?.block === block ? none : this.#release();
    const shown = this.#reasoning.get(block) ?? new ShownReasoning();
    this.#reasoning.set(block, shown);
    const thinking = shown.push(event);
    const isHeld = bound !== undefined && this.#isOfCall(bound, shown);
    if (isHeld) this.#held = { block, bound };
    const delta = { ...(thinking === '' ? {} : { thinking }), ...(isHeld ? {} : encodeBound(bound)) };
    const isSilent = this.#strict || Object.keys(delta).length === 0;
    return isSilent ? released : [...released, { delta: this.#block(block, delta) }];
  }

  /** Whether a value belongs to the call after it, by the same rule as in a whole answer: see `boundAtCall`. */
  #isOfCall({ kind }: BoundValue, { hasText }: ShownReasoning): boolean {
    return this.#strict ? kind !== 'signature' : kind === 'thought' && !hasText;
  }

  /** Releases the held value when no call follows. Clients that are not strict get it as a block, strict clients not at all. */
  #release(): readonly ChoiceChunk[] {
    const held = this.#held;
    this.#held = undefined;
    if (held === undefined || this.#strict) return none;
    return [{ delta: this.#block(held.block, encodeBound(held.bound)) }];
  }

  #call(event: CallEvent): readonly ChoiceChunk[] {
    if (event.kind === 'tool-arguments') {
      const open = this.#calls.get(event.block);
      if (open === undefined) return none;
      const piece = open.isCustom ? { custom: { input: event.text } } : { function: { arguments: event.text } };
      return [...this.#release(), { delta: { tool_calls: [{ index: open.index, ...piece }] } }];
    }
    const open = { index: this.#calls.size, isCustom: event.input === 'text' };
    this.#calls.set(event.block, open);
    const { id, name } = event;
    const call: JsonObject = open.isCustom
      ? { id, type: 'custom', custom: { name, input: '' } }
      : { id, type: 'function', function: { name, arguments: '' } };
    const signature = this.#held === undefined ? undefined : tagBound(this.#held.bound);
    this.#held = undefined;
    return [{ delta: { tool_calls: [{ index: open.index, ...withSignature(call, signature) }] } }];
  }

  #media(part: MediaPart): readonly ChoiceChunk[] {
    const images = encodeImages([part]);
    if (images !== undefined) return [{ delta: { images } }];
    const audio = audioData([part]);
    if (audio === undefined || this.#hasAudio) return none;
    this.#hasAudio = true;
    return [{ delta: { audio: encodeAudio(audio, '') } }];
  }

  #cite(): readonly ChoiceChunk[] {
    if (this.#citations.length === 0) return none;
    const stretches = this.#texts.byBlock();
    const annotations = this.#citations
      .splice(0)
      .flatMap(({ block, citation }) => encodeAnnotation(citation, stretches.get(block) ?? { from: 0, length: 0 }));
    return annotations.length === 0 ? none : [{ delta: { annotations } }];
  }

  #finish(finish: Finish): ChoiceChunk {
    this.finished = true;
    return { delta: {}, finish: encodeFinish(finish, this.#strict) };
  }
}
