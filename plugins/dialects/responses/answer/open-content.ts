import type { AnswerEventOf } from '../../../../schema/conversation/answer.ts';
import type { Citation } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Frame } from '../../../sdk/dialect/dialect.ts';
import { append } from '../../shared/json/append.ts';
import { encodeTokens } from '../../shared/parts/token-logprobs.ts';
import { encodeAnnotation } from '../parts/citations.ts';
import { outputText } from '../parts/output-text.ts';
import type { ItemWriter } from './event-writer.ts';

/** A citation that may belong to a text that has ended. */
export type LateCitation = AnswerEventOf<'citation'>;

export type ContentEvent = AnswerEventOf<'text' | 'refusal' | 'citation' | 'logprobs'>;

/** One part of a message's content while it is being written. */
export class OpenContent {
  readonly block: number;
  readonly isRefusal: boolean;
  readonly #writer: ItemWriter;
  readonly #at: JsonObject;
  readonly #annotations: JsonObject[] = [];
  readonly #logprobs: JsonObject[] = [];
  /** Citations of the whole text, the end of which is not known yet. */
  readonly #ofWhole: Citation[] = [];
  #text = '';

  constructor(writer: ItemWriter, index: number, { block, kind }: ContentEvent) {
    this.block = block;
    this.isRefusal = kind === 'refusal';
    this.#writer = writer;
    this.#at = { content_index: index };
  }

  begin(): Frame {
    return this.#writer.part('content_part.added', { ...this.#at, part: this.#part() });
  }

  push(event: ContentEvent): readonly Frame[] {
    switch (event.kind) {
      case 'text':
        this.#text += event.text;
        return [this.#delta(event.text, [])];
      case 'refusal':
        this.#text += event.text;
        return [this.#writer.part('refusal.delta', { ...this.#at, delta: event.text })];
      case 'logprobs': {
        const logprobs = encodeTokens(event.logprobs, []);
        append(this.#logprobs, logprobs);
        return [this.#delta('', logprobs)];
      }
      case 'citation': {
        if (event.citation.span !== undefined) return this.#annotate(event.citation);
        this.#ofWhole.push(event.citation);
        return [];
      }
    }
  }

  end(): { readonly frames: readonly Frame[]; readonly part: JsonObject } {
    const text = this.#text;
    const annotated = this.#ofWhole.flatMap((citation) => this.#annotate(citation));
    const part = this.#part();
    const done = this.isRefusal
      ? this.#writer.part('refusal.done', { ...this.#at, refusal: text })
      : this.#writer.part('output_text.done', { ...this.#at, text, logprobs: this.#logprobs });
    return { frames: [...annotated, done, this.#writer.part('content_part.done', { ...this.#at, part })], part };
  }

  /** Adds a citation after the text has ended. */
  cite(citation: Citation): { readonly frames: readonly Frame[]; readonly part: JsonObject } {
    const frames = this.#annotate(citation);
    return { frames, part: this.#part() };
  }

  #annotate(citation: Citation): readonly Frame[] {
    const annotation = encodeAnnotation(citation, this.#text.length);
    if (annotation === undefined) return [];
    const index = this.#annotations.push(annotation) - 1;
    return [this.#writer.part('output_text.annotation.added', { ...this.#at, annotation_index: index, annotation })];
  }

  #delta(delta: string, logprobs: readonly JsonObject[]): Frame {
    return this.#writer.part('output_text.delta', { ...this.#at, delta, logprobs });
  }

  #part(): JsonObject {
    return this.isRefusal
      ? { type: 'refusal', refusal: this.#text }
      : outputText(this.#text, [...this.#annotations], [...this.#logprobs]);
  }
}
