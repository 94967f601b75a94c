import type {
  AnswerCodec,
  Dialect,
  EncodeAnswer,
  Frame,
  StreamDecoder,
  StreamEncoder,
  TextReading,
} from '../../../plugins/sdk/dialect/dialect.ts';
import { findAnswerCodec } from '../../../plugins/sdk/dialect/find-answer-codec.ts';
import type { Answer, AnswerChoice, AnswerEventOf } from '../../../schema/conversation/answer.ts';
import type { Part } from '../../../schema/conversation/conversation.ts';
import { fromExactJson, mayBeRounded } from '../../../schema/json/exact-numbers.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { UsageMeter } from '../../usage/usage-meter.ts';
import { requiringUsage } from '../attempt-usage/required-usage.ts';
import { decodeOptions } from '../call/decode-options.ts';
import { type EncodeChoices, encodeOptions } from '../call/encode-options.ts';
import type { LeafCall } from '../call/leaf-call.ts';
import { answerText, type CheckedText, type ReadAnswer, toLines } from '../guardrail-verdicts/check-text.ts';
import type { StreamedTranslation } from '../target/translation.ts';
import { UnreportedDecoder, unreportedSpans } from './unreported/unreported-texts.ts';
import { unshownCitations } from './unreported/unshown-citations.ts';

interface Side {
  readonly dialect: Dialect;
  readonly codec: AnswerCodec;
}

const hasLongNumber = ({ choices }: Answer): boolean =>
  choices.some(({ parts }) => parts.some((part) => part.kind === 'tool-call' && mayBeRounded(part.arguments)));

/** Writes an answer in a dialect, with JavaScript numbers in the arguments of its calls, because checks look at them. */
const writtenBy = ({ codec }: Side, answer: Answer, options: EncodeAnswer): JsonObject => {
  const wire = codec.encodeAnswer(answer, options);
  return hasLongNumber(answer) ? fromExactJson(JSON.stringify(wire)) : wire;
};

export interface CodingOptions extends EncodeChoices {
  readonly translation: StreamedTranslation;
  /** How checks read answers. */
  readonly reading: TextReading;
  /** Counts what the stream uses. Absent if nobody needs it. */
  readonly meter: UsageMeter | undefined;
}

/** The texts of an answer, and the answer as its client would receive it whole. */
export interface ReadTexts {
  readonly answer: JsonObject;
  /** Undefined if the texts cannot be read. */
  readonly text: CheckedText | undefined;
}

const findSides = (
  translation: CodingOptions['translation'],
): { readonly client: Side; readonly upstream?: Side } | undefined => {
  if (translation.kind === 'translate')
    return {
      client: { dialect: translation.client, codec: translation.clientCodec },
      upstream: { dialect: translation.upstream, codec: translation.upstreamCodec },
    };
  const codec = findAnswerCodec(translation.dialect);
  return codec === undefined ? undefined : { client: { dialect: translation.dialect, codec } };
};

/** An event that only one dialect has, for an answer or a choice. */
export type ExtensionEvent = AnswerEventOf<'extension'>;

const saysNothing = { parts: [], finish: { reason: 'stop' } } as const;

/** Returns an answer with one choice that contains something. A client that receives one choice receives the first. */
const answerWith = (own: AnswerChoice, extensions: Answer['extensions'] = {}): Answer => {
  const choices = own.index === 0 ? [own] : [{ index: 0, ...saysNothing }, own];
  return { id: '', model: '', choices, extensions };
};

/** Reads and writes the answer of one stream as a whole, so that checks reach the same result as for whole answers. */
export class AnswerCoding {
  readonly #call: LeafCall;
  readonly #options: CodingOptions;
  readonly #reading: TextReading;
  readonly #client: Side;
  readonly #upstream: Side | undefined;

  private constructor(call: LeafCall, options: CodingOptions, { client, upstream }: { client: Side; upstream?: Side }) {
    this.#call = call;
    this.#reading = options.reading;
    this.#options = options;
    this.#client = client;
    this.#upstream = upstream;
  }

  /** Returns undefined if the dialect's answers cannot be read. */
  static of(call: LeafCall, options: CodingOptions): AnswerCoding | undefined {
    const sides = findSides(options.translation);
    return sides === undefined ? undefined : new AnswerCoding(call, options, sides);
  }

  get client(): Dialect {
    return this.#client.dialect;
  }

  /** Returns a decoder for the upstream's stream. */
  streamDecoder(): StreamDecoder {
    return (this.#upstream ?? this.#client).codec.streamDecoder(decodeOptions(this.#call));
  }

  /** Returns a decoder for checks: they also judge content of frames that no event reports. */
  judgedDecoder(): StreamDecoder {
    const { dialect } = this.#upstream ?? this.#client;
    const decoder = this.streamDecoder();
    if (dialect.frameTexts === undefined) return decoder;
    const read = dialect.frameTexts.bind(dialect);
    return new UnreportedDecoder(decoder, {
      read,
      unknown: this.#reading.unknown,
      areGiven: this.#upstream === undefined,
    });
  }

  /** Whether a frame from the upstream contains documented texts of an answer. */
  showsAnswer(frame: Frame): boolean {
    const { dialect } = this.#upstream ?? this.#client;
    return (dialect.frameTexts?.(frame)?.reported.length ?? 0) > 0;
  }

  /** Returns an encoder for the client's stream. */
  streamEncoder(): StreamEncoder {
    const encoder = this.#client.codec.streamEncoder(encodeOptions(this.#call, this.#options));
    if (this.#upstream === undefined) return encoder;
    return requiringUsage(this.#call, encoder, { client: this.client, meter: this.#options.meter });
  }

  read(answer: Answer): ReadTexts {
    const { remember: _unused, ...options } = encodeOptions(this.#call, this.#options);
    // What a provider wrote is judged even if a strict client would not receive it: frames as received contain all of it.
    const loose = { ...options, strict: false };
    const upstream = this.#upstream;
    const given = writtenBy(this.#client, answer, upstream === undefined ? loose : options);
    const original: ReadAnswer | undefined =
      upstream === undefined ? undefined : { answer: writtenBy(upstream, answer, loose), dialect: upstream.dialect };
    const text = answerText({ answer: given, dialect: this.client }, original, this.#reading);
    const unreported = unreportedSpans(answer);
    if (text === undefined || unreported === undefined) return { answer: given, text: undefined };
    const beside = upstream === undefined ? [...unshownCitations(answer, text.spans), ...unreported] : unreported;
    return { answer: given, text: beside.length === 0 ? text : toLines([...text.spans, ...beside]) };
  }

  /** Returns the texts of one part of a choice. */
  readPart(part: Part, choice: number): ReadTexts {
    return this.read(answerWith({ ...saysNothing, index: choice, parts: [part] }));
  }

  readExtension({ dialect, value, choice }: ExtensionEvent): ReadTexts {
    const extensions = { [dialect]: value };
    return this.read(
      choice === undefined
        ? answerWith({ ...saysNothing, index: 0 }, extensions)
        : answerWith({ ...saysNothing, index: choice, extensions }),
    );
  }

  /** Returns the texts of an answer that a check changed. */
  reread(answer: JsonObject): CheckedText | undefined {
    return answerText({ answer, dialect: this.client }, undefined, this.#reading);
  }

  decode(answer: JsonObject): Answer {
    return this.#client.codec.decodeAnswer(answer, decodeOptions(this.#call));
  }
}
