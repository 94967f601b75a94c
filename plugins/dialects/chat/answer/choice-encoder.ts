import type { AnswerEvent, AnswerEventOf, Finish } from '../../../../schema/conversation/answer.ts';
import { grownReasoning } from '../../../../schema/conversation/answer-parts.ts';
import { tagBound } from '../../../../schema/conversation/bound.ts';
import type { BoundValue, Citation, MediaPart, ReasoningPart } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findObject } from '../../../../schema/json/loose.ts';
import { ShownReasoning } from '../../shared/parts/shown-reasoning.ts';
import { encodeAnnotation } from '../parts/annotations.ts';
import { encodeCall, encodeLegacyCall } from '../parts/calls.ts';
import { encodeBound } from '../parts/content-blocks.ts';
import { audioData, encodeAudio, encodeImages } from '../parts/made-media.ts';
import { encodeDetails } from '../parts/reasoning-details.ts';
import { TextSpans } from '../parts/text-spans.ts';
import { withSignature } from '../parts/thought-signature.ts';
import { type ClientForm, encodeFinish } from './finish-reasons.ts';
import { encodeLogprobs } from './logprobs.ts';

/** An event that belongs to one choice. */
export type ChoiceEvent = Exclude<AnswerEvent, { readonly kind: 'start' | 'usage' | 'error' | 'end' }>;

type CallEvent = Extract<ChoiceEvent, { kind: 'tool-call' | 'tool-arguments' }>;

/** Writes the deltas of a call. */
interface OpenCall {
  begin(signature: string | undefined): JsonObject;
  continue(text: string): JsonObject;
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
  readonly #form: ClientForm;
  readonly #calls = new Map<number, OpenCall>();
  readonly #reasoning = new Map<number, ShownReasoning>();
  /** The reasoning of each block so far, for its details. */
  readonly #reasoned = new Map<number, ReasoningPart>();
  readonly #texts = new TextSpans();
  /** They are sent at the end, because their place in the content depends on the texts. Some services find them after it. */
  readonly #citations: { readonly block: number; readonly citation: Citation }[] = [];
  /** A bound value that belongs to a call, if the next event is one. */
  #held: { readonly block: number; readonly bound: BoundValue } | undefined;
  /** The last value of a strict answer that belongs to no call. */
  #closing: BoundValue | undefined;
  #hasAudio = false;
  finished = false;

  constructor(form: ClientForm) {
    this.#form = form;
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
        return [...this.#release(), ...this.#cite(), ...this.#sign(), this.#finish(event.finish)];
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
        return this.finished ? this.#cite() : none;
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
    return this.#form.strict ? {} : { content_blocks: [{ index, delta }] };
  }

  #reason(event: AnswerEventOf<'reasoning'>): readonly ChoiceChunk[] {
    const { block, bound } = event;
    const released = this.#held?.block === block ? none : this.#release();
    const shown = this.#reasoning.get(block) ?? new ShownReasoning();
    this.#reasoning.set(block, shown);
    const thinking = shown.push(event);
    const details = this.#details(event);
    const isHeld = details.length === 0 && bound !== undefined && this.#isOfCall(bound, shown);
    if (isHeld) this.#held = { block, bound };
    const isElsewhere = isHeld || details.length > 0;
    const inBlock = { ...(thinking === '' ? {} : { thinking }), ...(isElsewhere ? {} : encodeBound(bound)) };
    const isSilent = this.#form.strict || Object.keys(inBlock).length === 0;
    if (isSilent && details.length === 0) return released;
    const delta = details.length === 0 ? {} : { reasoning_details: details };
    return [...released, { delta: { ...delta, ...(isSilent ? {} : this.#block(block, inBlock)) } }];
  }

  /** Returns the details of a block once it has its bound value, which stands for them. */
  #details(event: AnswerEventOf<'reasoning'>): readonly JsonObject[] {
    const part = grownReasoning(this.#reasoned.get(event.block) ?? { kind: 'reasoning', text: '' }, event);
    this.#reasoned.set(event.block, part);
    return event.bound === undefined ? [] : encodeDetails(part);
  }

  /** Whether a value belongs to the call after it, by the same rule as in a whole answer: see `boundAtCall`. */
  #isOfCall({ kind }: BoundValue, { hasText }: ShownReasoning): boolean {
    return this.#form.strict ? kind !== 'signature' : kind === 'thought' && !hasText;
  }

  /** Releases the held value when no call follows. Clients that are not strict get it as a block, strict clients at the end. */
  #release(): readonly ChoiceChunk[] {
    const held = this.#held;
    this.#held = undefined;
    if (held === undefined) return none;
    if (!this.#form.strict) return [{ delta: this.#block(held.block, encodeBound(held.bound)) }];
    if (held.bound.kind === 'thought') this.#closing = held.bound;
    return none;
  }

  #sign(): readonly ChoiceChunk[] {
    const closing = this.#closing;
    this.#closing = undefined;
    return closing === undefined ? none : [{ delta: withSignature({}, tagBound(closing)) }];
  }

  #call(event: CallEvent): readonly ChoiceChunk[] {
    if (event.kind === 'tool-arguments') {
      const open = this.#calls.get(event.block);
      return open === undefined ? none : [...this.#release(), { delta: open.continue(event.text) }];
    }
    const open = this.#open(event);
    this.#calls.set(event.block, open);
    const signature = this.#held === undefined ? undefined : tagBound(this.#held.bound);
    this.#held = undefined;
    return [{ delta: open.begin(signature) }];
  }

  #open(event: Extract<CallEvent, { kind: 'tool-call' }>): OpenCall {
    const { isLegacy = false } = this.#form;
    const call = { ...event, arguments: '' };
    if (isLegacy && this.#calls.size === 0)
      return {
        begin: (signature) => ({ function_call: withSignature(encodeLegacyCall(call), signature) }),
        continue: (text) => ({ function_call: { arguments: text } }),
      };
    const index = this.#calls.size - (isLegacy ? 1 : 0);
    const isCustom = event.input === 'text';
    const begun = encodeCall(call);
    const piece = (text: string) => (isCustom ? { custom: { input: text } } : { function: { arguments: text } });
    return {
      begin: (signature) => ({ tool_calls: [{ index, ...withSignature(begun, signature) }] }),
      continue: (text) => ({ tool_calls: [{ index, ...piece(text) }] }),
    };
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
    return { delta: {}, finish: encodeFinish(finish, this.#form) };
  }
}
