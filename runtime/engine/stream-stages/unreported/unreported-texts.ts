import type { Dialect, Frame, StreamDecoder, TextReading } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { TextSpan } from '../../../../plugins/sdk/dialect/text-span.ts';
import type { Answer, AnswerEvent, AnswerEventOf } from '../../../../schema/conversation/answer.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findItems, findObject } from '../../../../schema/json/loose.ts';
import { rootPointer } from '../../../../schema/json/pointer.ts';
import { UnreportedTextFinder } from './unreported-text-finder.ts';

/** Stands in for the dialect of an extension: content of frames that no event reports. No encoder writes it. */
const unreportedMembers = 'unreported members';

export const isUnreported = ({ dialect }: AnswerEventOf<'extension'>): boolean => dialect === unreportedMembers;

/** Whether it contains something that cannot be read as text. */
export const isUnreadable = ({ value }: Pick<AnswerEventOf<'extension'>, 'value'>): boolean =>
  value.isUnreadable === true;

/** Whether its frame has texts that later events have to report. It may be released together with these. */
export const isAwaiting = (event: AnswerEventOf<'extension'>): boolean =>
  isUnreported(event) && event.value.isAwaiting === true;

/** Whether everything that was awaited is now reported by the events before it, or by the event itself. */
export const endsWaiting = (event: AnswerEventOf<'extension'>): boolean =>
  isUnreported(event) && event.value.endsWaiting === true;

const unreportedEvent = (value: JsonObject): AnswerEventOf<'extension'> => ({
  kind: 'extension',
  dialect: unreportedMembers,
  value,
});

const isLast = ({ kind }: AnswerEvent): boolean => kind === 'end' || kind === 'error';

type FrameReader = NonNullable<Dialect['frameTexts']>;

/** The pieces of one text, which frames carry one after the other at the same place. */
class Pieces {
  readonly #first: string;
  /** How often the first piece came. A member that says the same in each frame counts as said once. */
  #times = 1;
  #differ = false;

  constructor(first: string) {
    this.#first = first;
  }

  /** Returns what is new in the next piece. Undefined if it repeats the first, as all before it did. */
  next(text: string): string | undefined {
    if (this.#differ) return text;
    if (text === this.#first) {
      this.#times += 1;
      return undefined;
    }
    this.#differ = true;
    // The first piece was returned once. Its repetitions turn out to be pieces of a text.
    return this.#first.repeat(this.#times - 1) + text;
  }
}

export interface UnreportedOptions {
  readonly read: FrameReader;
  readonly unknown: TextReading['unknown'];
  /** Whether clients receive frames as received, with what their decoder does not know. */
  readonly areGiven: boolean;
}

/** Reads a stream's frames with its decoder, and reports what their events omit in an event of its own. */
export class UnreportedDecoder implements StreamDecoder {
  readonly #decoder: StreamDecoder;
  readonly #read: FrameReader;
  readonly #unknown: TextReading['unknown'];
  readonly #pieces = new Map<string, Pieces>();
  readonly #unsaid: UnreportedTextFinder | undefined;
  #ended = false;

  constructor(decoder: StreamDecoder, { read, unknown, areGiven }: UnreportedOptions) {
    this.#decoder = decoder;
    this.#read = read;
    this.#unknown = unknown;
    this.#unsaid = areGiven ? new UnreportedTextFinder() : undefined;
  }

  push(frame: Frame): readonly AnswerEvent[] {
    const events = this.#decoder.push(frame);
    if (this.#ended) return events;
    this.#ended = events.some(isLast);
    const wasAwaiting = this.#unsaid?.areAwaited === true;
    const value = this.#toValue(frame, events);
    const all = value === undefined ? events : this.#withUnreported(events, value);
    return wasAwaiting || value?.isAwaiting === true ? this.#settled(all) : all;
  }

  end(): readonly AnswerEvent[] {
    const events = this.#decoder.end();
    if (this.#ended) return events;
    this.#ended = true;
    return this.#unsaid?.areAwaited === true ? this.#settled(events) : events;
  }

  #withUnreported(events: readonly AnswerEvent[], value: JsonObject): readonly AnswerEvent[] {
    const event = unreportedEvent(value);
    const [first, ...rest] = events;
    return first?.kind === 'start' ? [first, event, ...rest] : [event, ...events];
  }

  /** Adds an event that ends the waiting, once everything awaited is reported or nothing more can be. */
  #settled(events: readonly AnswerEvent[]): readonly AnswerEvent[] {
    if (this.#unsaid?.areAwaited !== true) return [...events, unreportedEvent({ endsWaiting: true })];
    if (!this.#ended) return events;
    const last = events.findIndex(isLast);
    const texts = this.#toTexts(this.#unsaid.awaited());
    return events.toSpliced(last === -1 ? events.length : last, 0, unreportedEvent({ texts, endsWaiting: true }));
  }

  #toValue(frame: Frame, events: readonly AnswerEvent[]): JsonObject | undefined {
    const read = this.#read(frame, this.#unknown);
    if (read === undefined) return { isUnreadable: true };
    const unsaid = this.#unsaid?.next(frame.data, read.reported, events);
    const spans = unsaid === undefined ? read.unreported : [...read.unreported, ...unsaid.spans];
    if (unsaid?.isAwaiting === true) return { texts: this.#toTexts(spans), isAwaiting: true };
    return spans.length === 0 ? undefined : { texts: this.#toTexts(spans) };
  }

  /** Maps places to texts. A frame that repeats what is not judged yet waits as well: its event then has no texts. */
  #toTexts(spans: readonly TextSpan[]): JsonObject {
    const places = new Set<string>();
    const texts = spans.flatMap((span) => {
      const own = span.isName === true ? `name of ${span.at}` : span.at;
      // Content that can be read in two ways is two texts.
      const place = places.has(own) ? `${own} ${places.size}` : own;
      places.add(place);
      const text = this.#toNew(place, span.text);
      return text === undefined ? [] : [[place, [text]] as const];
    });
    return Object.fromEntries(texts);
  }

  #toNew(at: string, text: string): string | undefined {
    const known = this.#pieces.get(at);
    if (known !== undefined) return known.next(text);
    this.#pieces.set(at, new Pieces(text));
    return text;
  }
}

const toSpan = (text: string): TextSpan => ({ at: rootPointer, text, kind: 'other' });

const textsIn = (value: JsonObject): readonly (readonly [string, string])[] =>
  Object.entries(findObject(value.texts) ?? {}).map(([at, pieces]) => [at, (findItems(pieces) ?? []).join('')]);

/** Returns the texts in the frames of a whole answer that its events do not report. Undefined if they cannot be read. */
export const unreportedSpans = ({ extensions }: Answer): readonly TextSpan[] | undefined => {
  const value = extensions[unreportedMembers];
  if (value === undefined) return [];
  return isUnreadable({ value }) ? undefined : textsIn(value).map(([, text]) => toSpan(text));
};

/** The maximum number of earlier characters at a place that are judged again with the next piece. */
const maxBefore = 4096;

/** Joins what frames say one after the other at one place, so that a word cannot be hidden by splitting it over two frames. */
export class UnreportedWindows {
  readonly #said = new Map<string, string>();

  /** Returns what to judge when an event comes. */
  next({ value }: AnswerEventOf<'extension'>): readonly TextSpan[] {
    return textsIn(value).map(([at, text]) => {
      const said = (this.#said.get(at) ?? '') + text;
      this.#said.set(at, said.slice(-maxBefore));
      return toSpan(said);
    });
  }
}
