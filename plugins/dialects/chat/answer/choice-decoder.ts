import type { AnswerEvent, Finish } from '../../../../schema/conversation/answer.ts';
import type { MediaPart } from '../../../../schema/conversation/conversation.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { findItems, findNumber, findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { citingAnnotations, decodeAnnotations, otherAnnotations } from '../parts/annotations.ts';
import { decodeBound, thinkingText } from '../parts/content-blocks.ts';
import type { DecodeMessage } from '../parts/decode-message.ts';
import { DetailAssembly, type ReasoningPiece } from '../parts/detail-assembly.ts';
import { AudioAssembly, decodeImages } from '../parts/made-media.ts';
import { readReasoning } from '../parts/reasoning-details.ts';
import { TextSpans } from '../parts/text-spans.ts';
import { signatureAt } from '../parts/thought-signature.ts';
import { decodeCallFinish } from './finish-reasons.ts';
import { decodeLogprobs } from './logprobs.ts';
import { ToolCallAssembly } from './tool-call-assembly.ts';

/** One choice of a stream. Each kind of text is one block, even if other pieces come in between, as in a whole answer. */
export class ChoiceDecoder {
  readonly #choice: number;
  /** The scope of bound values that name none. */
  readonly #scope: string;
  readonly #blocks = new Map<string, number>();
  readonly #calls: ToolCallAssembly;
  readonly #details: DetailAssembly;
  readonly #audio = new AudioAssembly();
  readonly #texts = new TextSpans();
  /** Citations that came before any text: some providers search before they write. */
  #early: readonly JsonObject[] = [];
  #next = 0;
  /** Whether its last chunk has an empty finish reason. */
  #isReasonEmpty = false;
  /** The last finish that was reported. */
  #ending: Finish | undefined;

  constructor(choice: number, options: DecodeMessage) {
    this.#choice = choice;
    this.#scope = options.scope;
    this.#details = new DetailAssembly(options.scope);
    this.#calls = new ToolCallAssembly(choice, { ...options, nextBlock: () => this.#nextBlock() });
  }

  get finished(): boolean {
    return this.#ending !== undefined;
  }

  /** Whether the arguments of a call still wait for its name. */
  get isTorn(): boolean {
    return this.#calls.isTorn;
  }

  /** Adds the events of a chunk. */
  push(chunk: JsonObject, events: AnswerEvent[]): void {
    const delta = findObject(chunk.delta) ?? {};
    const audio = findObject(delta.audio);
    this.#audio.push(audio);
    this.#addContent(delta, events);
    this.#addText(events, 'text', audio?.transcript);
    this.#addLogprobs(chunk.logprobs, events);
    for (const part of decodeImages(delta.images)) events.push(this.#partEvent(part));
    this.#addText(events, 'refusal', delta.refusal);
    this.#addCalls(delta, events);
    this.#addCitations(delta.annotations, events);
    this.#addOthers(delta, events);
    this.#addSignature(delta, events);
    this.#addFinish(findText(chunk.finish_reason), events);
  }

  /**
   * Adds a finish with tool calls if the stream ended after an empty reason, as xAI's streams do, or if its calls came after
   * `stop`.
   */
  close(events: AnswerEvent[]): void {
    const isOpen = this.#isReasonEmpty || this.#ending?.reason === 'stop';
    if (this.#calls.hasCalls && isOpen) this.#finish(decodeCallFinish(this.#ending?.raw ?? '', true), events);
  }

  #nextBlock(): number {
    const block = this.#next;
    this.#next += 1;
    return block;
  }

  #findBlock(name: string): number {
    const known = this.#blocks.get(name);
    if (known !== undefined) return known;
    const block = this.#nextBlock();
    this.#blocks.set(name, block);
    return block;
  }

  #addText(
    events: AnswerEvent[],
    kind: 'text' | 'refusal' | 'reasoning',
    value: Json | undefined,
    name: string = kind,
  ): void {
    const text = findText(value);
    if (text === undefined || text === '') return;
    if (kind !== 'reasoning') this.#addPieces(this.#details.close(), events);
    const block = this.#findBlock(name);
    if (kind === 'text') this.#texts.grow(block, text);
    events.push({ kind, choice: this.#choice, block, text });
  }

  #partEvent(part: MediaPart): AnswerEvent {
    return { kind: 'part', choice: this.#choice, block: this.#nextBlock(), part };
  }

  #addCalls(delta: JsonObject, events: AnswerEvent[]): void {
    const legacy = findObject(delta.function_call);
    const calls = legacy === undefined ? toObjects(delta.tool_calls) : [{ index: 0, function: legacy }];
    if (calls.length > 0) this.#addPieces(this.#details.close(), events);
    for (const piece of calls) events.push(...this.#calls.push(piece));
  }

  /** Adds log probabilities. They are those of the content, so they belong to its first text. */
  #addLogprobs(wire: Json | undefined, events: AnswerEvent[]): void {
    const block = this.#texts.blockAt(0);
    const logprobs = block === undefined ? [] : decodeLogprobs(wire);
    if (block === undefined || logprobs.length === 0) return;
    events.push({ kind: 'logprobs', choice: this.#choice, block, logprobs });
  }

  #addCitations(annotations: Json | undefined, events: AnswerEvent[]): void {
    if (annotations === undefined && this.#early.length === 0) return;
    const others = otherAnnotations(annotations);
    if (others.length > 0) this.#extend({ annotations: others }, events);
    const cited = [...this.#early, ...citingAnnotations(annotations)];
    const hasText = this.#texts.blockAt(0) !== undefined;
    this.#early = hasText ? [] : cited;
    if (!hasText) return;
    for (const { text, citation } of decodeAnnotations(cited, this.#texts.all())) {
      const block = this.#texts.blockAt(text);
      if (block !== undefined) events.push({ kind: 'citation', choice: this.#choice, block, citation });
    }
  }

  /**
   * Adds the members beside the content that providers such as Groq and Azure send: the tools that they ran, and what those tools
   * found.
   */
  #addOthers({ executed_tools: tools, context }: JsonObject, events: AnswerEvent[]): void {
    const executed = toObjects(tools);
    if (executed.length > 0) this.#extend({ executed_tools: executed }, events);
    if (findObject(context) !== undefined) this.#extend({ context: context ?? null }, events);
  }

  /** Adds the signature of a message without calls, which comes after its content. */
  #addSignature(delta: JsonObject, events: AnswerEvent[]): void {
    const bound = delta.extra_content === undefined ? undefined : signatureAt(delta, this.#scope);
    if (bound === undefined) return;
    events.push({ kind: 'reasoning', choice: this.#choice, block: this.#nextBlock(), bound });
  }

  #extend(message: JsonObject, events: AnswerEvent[]): void {
    events.push({ kind: 'extension', choice: this.#choice, dialect: 'chat', value: { message } });
  }

  #addContent(delta: JsonObject, events: AnswerEvent[]): void {
    const blocks = toObjects(delta.content_blocks);
    if (blocks.length > 0) {
      for (const block of blocks) this.#addBlock(block, events);
      return;
    }
    this.#addReasoning(delta, events);
    const parts = findItems(delta.content);
    if (parts === undefined) this.#addPart(delta.content, events);
    else for (const part of parts) this.#addPart(part, events);
  }

  /** Adds reasoning. Details that only sign or encrypt earlier text belong to the same block. */
  #addReasoning(delta: JsonObject, events: AnswerEvent[]): void {
    const { plain, details, differs } = readReasoning(delta);
    this.#addText(events, 'reasoning', plain, differs ? 'other reasoning' : 'reasoning');
    for (const detail of details) this.#addPieces(this.#details.push(detail), events);
  }

  #addPieces(pieces: readonly ReasoningPiece[], events: AnswerEvent[]): void {
    for (const { block, ...piece } of pieces) {
      const name = block === 0 ? 'reasoning' : `reasoning ${block}`;
      events.push({ ...piece, choice: this.#choice, block: this.#findBlock(name) });
    }
  }

  /** Adds a piece of the content: a text, or a part with a text. */
  #addPart(wire: Json | undefined, events: AnswerEvent[]): void {
    const part = findObject(wire);
    if (part === undefined) this.#addText(events, 'text', wire);
    else if (part.type === 'thinking') this.#addText(events, 'reasoning', thinkingText(part));
    else this.#addText(events, 'text', part.text);
  }

  /** Adds one item of a non-strict `delta.content_blocks`. */
  #addBlock(item: JsonObject, events: AnswerEvent[]): void {
    const delta = findObject(item.delta) ?? {};
    const name = `block ${findNumber(item.index) ?? 0}`;
    const bound = decodeBound(delta, this.#scope);
    const proof: AnswerEvent | undefined =
      bound === undefined
        ? undefined
        : { kind: 'reasoning', choice: this.#choice, block: this.#findBlock(name), bound };
    this.#addText(events, 'reasoning', delta.thinking, name);
    this.#addText(events, 'text', delta.text, name);
    if (proof !== undefined) events.push(proof);
  }

  /** Adds a finish reason. Each chunk may have an empty one, which does not count until the stream has ended. */
  #addFinish(raw: string | undefined, events: AnswerEvent[]): void {
    this.#isReasonEmpty = raw === '';
    if (raw === undefined || raw === '') return;
    this.#finish(decodeCallFinish(raw, this.#calls.hasCalls), events);
  }

  /**
   * Reports a finish. A chunk may contain `stop` although the answer continues and ends for another reason, which is then
   * reported too: official clients read the last one.
   */
  #finish(finish: Finish, events: AnswerEvent[]): void {
    const before = this.#ending?.reason;
    if (before !== undefined && (finish.reason === before || finish.reason === 'stop')) return;
    this.#ending = finish;
    this.#addPieces(this.#details.close(), events);
    if (this.#early.length > 0) this.#extend({ annotations: this.#early }, events);
    this.#early = [];
    events.push(...this.#calls.close());
    const audio = before === undefined ? this.#audio.part() : undefined;
    if (audio !== undefined) events.push(this.#partEvent(audio));
    events.push({ kind: 'finish', choice: this.#choice, finish });
  }
}
