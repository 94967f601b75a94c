import type { AnswerEvent, Finish } from '../../../../schema/conversation/answer.ts';
import type { MediaPart, TokenLogprob } from '../../../../schema/conversation/conversation.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { omit } from '../../shared/json/omit.ts';
import { fileMedia, inlineMedia } from '../parts/media.ts';
import { decodeServerTool, ServerCallIds } from '../parts/server-tools.ts';
import { decodeSignature } from '../parts/thought-signature.ts';
import { AnswerText } from './answer-text.ts';
import { CallDecoder } from './call-decoder.ts';
import { decodeFinish } from './finish-reasons.ts';
import { decodeLogprobs } from './logprobs.ts';
import { SourceDecoder } from './source-decoder.ts';

const none: readonly AnswerEvent[] = [];

const decodeMedia = (part: JsonObject): MediaPart | undefined => {
  const inline = findObject(part.inlineData);
  if (inline !== undefined) return inlineMedia(findText(inline.mimeType) ?? '', findText(inline.data) ?? '', undefined);
  const file = findObject(part.fileData);
  return file === undefined ? undefined : fileMedia(findText(file.fileUri) ?? '', findText(file.mimeType), undefined);
};

const aboutThought: ReadonlySet<string> = new Set(['thought', 'thoughtSignature']);

export interface ChoiceOptions {
  readonly choice: number;
  /** The scope of bound values that name none. */
  readonly scope: string;
  makeId(): string;
}

/** One candidate of an answer, whole or in frames. Consecutive texts are joined, because frames may split them anywhere. */
export class ChoiceDecoder {
  readonly #choice: number;
  readonly #scope: string;
  readonly #calls: CallDecoder;
  readonly #serverCalls = new ServerCallIds();
  readonly #said = new AnswerText();
  /** The byte at which each part of the first frame begins. Later frames do not number their parts. */
  readonly #starts: number[] = [];
  #next = 0;
  #frames = 0;
  /** The block that another text of its kind continues. */
  #open: { readonly kind: 'text' | 'reasoning'; readonly block: number } | undefined;
  readonly #sources: SourceDecoder;
  /** Log probabilities of tokens that came before any text. */
  #waiting: readonly TokenLogprob[] = [];
  /** The last finish that was reported. */
  #ending: Finish | undefined;

  constructor({ choice, scope, makeId }: ChoiceOptions) {
    this.#choice = choice;
    this.#scope = scope;
    this.#sources = new SourceDecoder(choice);
    this.#calls = new CallDecoder({ choice, makeId, nextBlock: () => this.#nextBlock() });
  }

  get finished(): boolean {
    return this.#ending !== undefined;
  }

  push(candidate: JsonObject): readonly AnswerEvent[] {
    const parts = toObjects(findObject(candidate.content)?.parts).flatMap((part) => this.#part(part));
    this.#frames += 1;
    const finish = findText(candidate.finishReason) ?? '';
    return [
      ...parts,
      ...this.#logprobs(candidate),
      ...this.#sources.push(candidate, { said: this.#said, starts: this.#frames > 1 ? [] : this.#starts }),
      // Each frame may have an empty reason, which does not end the candidate.
      ...(finish === '' ? none : this.#finish(finish, findText(candidate.finishMessage))),
    ];
  }

  /** Ends a whole answer, even if it has no finish reason. */
  close(): readonly AnswerEvent[] {
    return this.finished ? none : this.#finish(undefined, undefined);
  }

  #nextBlock(): number {
    const block = this.#next;
    this.#next += 1;
    this.#open = undefined;
    return block;
  }

  #part(part: JsonObject): readonly AnswerEvent[] {
    if (this.#frames === 0) this.#starts.push(this.#said.bytes);
    const signed = this.#sign(findText(part.thoughtSignature));
    const text = findText(part.text);
    if (text !== undefined) return [...signed, ...this.#text(text, part.thought === true ? 'reasoning' : 'text')];
    const call = findObject(part.functionCall);
    if (call !== undefined) return [...signed, ...this.#calls.push(call, part)];
    return [...signed, ...this.#whole(part)];
  }

  /** Reports a signature, which belongs to the reasoning directly before its part. */
  #sign(text: string | undefined): readonly AnswerEvent[] {
    const bound = decodeSignature(text, this.#scope);
    if (bound === undefined) return none;
    const block = this.#open?.kind === 'reasoning' ? this.#open.block : this.#nextBlock();
    this.#open = undefined;
    return [{ kind: 'reasoning', choice: this.#choice, block, bound }];
  }

  #text(text: string, kind: 'text' | 'reasoning'): readonly AnswerEvent[] {
    if (text === '') return none;
    const block = this.#open?.kind === kind ? this.#open.block : this.#nextBlock();
    this.#open = { kind, block };
    if (kind === 'text') this.#said.say(block, text);
    return [...this.#calls.close(), { kind, choice: this.#choice, block, text }, ...this.#waited(block)];
  }

  #whole(part: JsonObject): readonly AnswerEvent[] {
    const value = omit(part, aboutThought);
    if (value === undefined) return none;
    const known =
      (part.thought === true ? undefined : decodeMedia(value)) ?? decodeServerTool(value, this.#serverCalls);
    const block = this.#nextBlock();
    const other = { kind: 'other', dialect: 'gemini', value } as const;
    return [{ kind: 'part', choice: this.#choice, block, part: known ?? other }];
  }

  /** Reports the log probabilities of a frame, which belong to its text. Those that come before any text wait for it. */
  #logprobs({ logprobsResult }: JsonObject): readonly AnswerEvent[] {
    const logprobs = decodeLogprobs(logprobsResult);
    if (logprobs.length === 0) return none;
    const block = this.#said.lastBlock;
    if (block === undefined) {
      this.#waiting = logprobs;
      return none;
    }
    return [{ kind: 'logprobs', choice: this.#choice, block, logprobs }];
  }

  #waited(block: number): readonly AnswerEvent[] {
    const logprobs = this.#waiting;
    this.#waiting = [];
    return logprobs.length === 0 ? none : [{ kind: 'logprobs', choice: this.#choice, block, logprobs }];
  }

  /**
   * Reports a finish. Each frame may contain STOP although the answer continues and ends for another reason. That reason is then
   * reported too.
   */
  #finish(raw: string | undefined, details: string | undefined): readonly AnswerEvent[] {
    const arguments_ = this.#calls.close();
    const finish = decodeFinish(raw, details, this.#calls.hasCalls);
    const before = this.#ending?.reason;
    if (before !== undefined && (finish.reason === before || finish.reason === 'stop')) return arguments_;
    this.#ending = finish;
    return [...arguments_, { kind: 'finish', choice: this.#choice, finish }];
  }
}
