import type { AnswerEvent, MediaPart } from '../../../schema/conversation.ts';
import type { Json, JsonObject } from '../../../schema/json.ts';
import { itemsOf, numberOf, objectOf, objectsOf, textOf } from '../../../schema/loose.ts';
import { decodeAnnotations } from './annotations.ts';
import { AudioAssembly } from './audio-assembly.ts';
import { decodeBound, thinkingText } from './content-blocks.ts';
import { decodeFinish } from './finish-reasons.ts';
import { decodeLogprobs } from './logprobs.ts';
import { decodeImages } from './made-media.ts';
import { TextStretches } from './text-stretches.ts';
import { ToolCallAssembly } from './tool-call-assembly.ts';

/** One choice of a stream. Each kind of text is one block, whatever comes between its pieces, as in a whole answer. */
export class ChoiceDecoder {
  readonly #choice: number;
  /** Of bound values that name none. */
  readonly #scope: string;
  readonly #blocks = new Map<string, number>();
  readonly #calls: ToolCallAssembly;
  readonly #audio = new AudioAssembly();
  readonly #texts = new TextStretches();
  #next = 0;
  finished = false;

  constructor(choice: number, scope: string) {
    this.#choice = choice;
    this.#scope = scope;
    this.#calls = new ToolCallAssembly(choice, scope, () => this.#nextBlock());
  }

  push(chunk: JsonObject): readonly AnswerEvent[] {
    const delta = objectOf(chunk.delta) ?? {};
    const legacy = objectOf(delta.function_call);
    const calls = legacy === undefined ? objectsOf(delta.tool_calls) : [{ index: 0, function: legacy }];
    const audio = objectOf(delta.audio);
    this.#audio.push(audio);
    return [
      ...this.#contentEvents(delta),
      ...this.#textEvents('text', audio?.transcript),
      ...this.#logprobEvents(chunk.logprobs),
      ...decodeImages(delta.images).map((part) => this.#partEvent(part)),
      ...this.#textEvents('refusal', delta.refusal),
      ...calls.flatMap((piece) => this.#calls.push(piece)),
      ...this.#citationEvents(delta.annotations),
      ...this.#finishEvents(textOf(chunk.finish_reason)),
    ];
  }

  #nextBlock(): number {
    const block = this.#next;
    this.#next += 1;
    return block;
  }

  #blockOf(name: string): number {
    const known = this.#blocks.get(name);
    if (known !== undefined) return known;
    const block = this.#nextBlock();
    this.#blocks.set(name, block);
    return block;
  }

  #textEvents(kind: 'text' | 'refusal' | 'reasoning', value: Json | undefined, name: string = kind): AnswerEvent[] {
    const text = textOf(value);
    if (text === undefined || text === '') return [];
    const block = this.#blockOf(name);
    if (kind === 'text') this.#texts.grow(block, text);
    return [{ kind, choice: this.#choice, block, text }];
  }

  #partEvent(part: MediaPart): AnswerEvent {
    return { kind: 'part', choice: this.#choice, block: this.#nextBlock(), part };
  }

  /** They are those of the content, so they belong to its first text. */
  #logprobEvents(wire: Json | undefined): readonly AnswerEvent[] {
    const block = this.#texts.blockAt(0);
    const logprobs = block === undefined ? [] : decodeLogprobs(wire);
    if (block === undefined || logprobs.length === 0) return [];
    return [{ kind: 'logprobs', choice: this.#choice, block, logprobs }];
  }

  #citationEvents(annotations: Json | undefined): readonly AnswerEvent[] {
    if (annotations === undefined) return [];
    return decodeAnnotations(annotations, this.#texts.all()).flatMap(({ text, citation }): readonly AnswerEvent[] => {
      const block = this.#texts.blockAt(text);
      return block === undefined ? [] : [{ kind: 'citation', choice: this.#choice, block, citation }];
    });
  }

  #contentEvents(delta: JsonObject): readonly AnswerEvent[] {
    const blocks = objectsOf(delta.content_blocks);
    if (blocks.length > 0) return blocks.flatMap((block) => this.#blockEvents(block));
    const reasoning = textOf(delta.reasoning_content) ?? delta.reasoning;
    const content =
      itemsOf(delta.content) === undefined
        ? this.#textEvents('text', delta.content)
        : objectsOf(delta.content).flatMap((part) =>
            part.type === 'thinking'
              ? this.#textEvents('reasoning', thinkingText(part))
              : this.#textEvents('text', part.text),
          );
    return [...this.#textEvents('reasoning', reasoning), ...content];
  }

  /** One item of a non-strict `delta.content_blocks`. */
  #blockEvents(item: JsonObject): readonly AnswerEvent[] {
    const delta = objectOf(item.delta) ?? {};
    const name = `block ${numberOf(item.index) ?? 0}`;
    const bound = decodeBound(delta, this.#scope);
    const proof: readonly AnswerEvent[] =
      bound === undefined ? [] : [{ kind: 'reasoning', choice: this.#choice, block: this.#blockOf(name), bound }];
    return [
      ...this.#textEvents('reasoning', delta.thinking, name),
      ...this.#textEvents('text', delta.text, name),
      ...proof,
    ];
  }

  #finishEvents(raw: string | undefined): readonly AnswerEvent[] {
    if (raw === undefined || this.finished) return [];
    this.finished = true;
    const audio = this.#audio.part();
    return [
      ...(audio === undefined ? [] : [this.#partEvent(audio)]),
      { kind: 'finish', choice: this.#choice, finish: decodeFinish(raw) },
    ];
  }
}
