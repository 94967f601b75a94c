import type { Frame, FrameClass } from '../../plugins/sdk/dialect/dialect.ts';
import type { Splitter } from '../../plugins/sdk/framings/framing.ts';
import type { AnswerEvent, AnswerEventOf, WireError } from '../../schema/conversation/answer.ts';
import type { ErrorReport } from '../../schema/errors/errors.ts';
import { AnswerEnd } from './answer-end.ts';
import { ChoiceEnds } from './choice-ends.ts';
import { errorFrames } from './error-frames.ts';
import { inOrder, thenDo, type Work } from './in-order.ts';
import { framesAfterEnd, readRest, restAfterEnd } from './read-rest.ts';
import { StageChain } from './stage-chain.ts';
import { type LinkedStage, StreamRefused } from './stage-queue.ts';
import { StagedOutput } from './staged-output.ts';
import { madeItem, type ReceivedFrame, toItems } from './stream-item.ts';
import { noBytes, type RelayStep, type StreamRelay } from './stream-relay.ts';
import { StreamedTexts } from './streamed-texts.ts';
import type { UsageStripper } from './strip-usage.ts';
import { isBlank, toClass } from './to-class.ts';
import type { RelayParts } from './translated-relay.ts';

/** The stages of a stream, and how they read its frames. */
export interface RelayStages {
  readonly stages: readonly LinkedStage[];
  /** Whether a frame, read by itself, contains nothing that a stage would see except counts. If absent, this is not known. */
  readonly isSilent?: (frame: Frame) => boolean;
  /** Returns a frame as stages receive it, if other readers may read something else in it. If absent, none is changed. */
  readonly asRead?: (frame: Frame) => Frame;
  /** Whether a frame that is an error also contains parts of the answer, which no stage receives. If absent, none does. */
  readonly answersBeside?: (frame: Frame) => boolean;
}

export interface StagedOptions extends RelayParts, RelayStages {
  /** Whether frames are passed on as received until a stage replaces something, because both sides speak one dialect. */
  readonly asReceived: boolean;
  /** How many choices the request asks for. Default: one. */
  readonly choices?: number;
  readonly stripper?: UsageStripper | undefined;
}

type Broken =
  | { readonly kind: 'error'; readonly error: WireError; readonly frames: readonly Frame[] }
  | { readonly kind: 'refused'; readonly report: ErrorReport }
  | { readonly kind: 'cut' };

const isFailed = (event: AnswerEvent): event is AnswerEventOf<'error'> => event.kind === 'error';
const isEnd = ({ kind }: AnswerEvent): boolean => kind === 'end';

/** A stream whose events pass through stages, which may hold, replace or refuse them, and may be asynchronous. */
export class StagedRelay implements StreamRelay {
  readonly #options: StagedOptions;
  readonly #splitter: Splitter;
  readonly #chain: StageChain;
  readonly #output: StagedOutput;
  readonly #choices = new ChoiceEnds();
  readonly #said = new StreamedTexts();
  readonly #end: AnswerEnd;
  readonly #eachFrame = (frame: Frame): Work => this.#frame(frame);
  readonly #nextStep = (): RelayStep => this.#step();
  #broken: Broken | undefined;
  /** Whether the decoder has seen the end. */
  #hasEnded = false;
  begun = false;
  /** Whether the last event has passed all stages. */
  isClosed = false;

  constructor(options: StagedOptions) {
    this.#options = options;
    this.#splitter = options.framing.createSplitter();
    this.#output = new StagedOutput(options);
    this.#chain = new StageChain(options.stages, (item) => this.#output.add(item));
    this.#end = new AnswerEnd(options.upstream, options.choices);
  }

  get opened(): boolean {
    return this.#output.opened;
  }

  get hasClosed(): boolean {
    return this.isClosed;
  }

  get heldBytes(): number {
    return this.#splitter.heldBytes + this.#chain.heldSize;
  }

  begin(frame: Frame): Buffer {
    return this.#options.frames.write([frame]);
  }

  push(chunk: Buffer): RelayStep {
    const frames = this.#hasEnded ? framesAfterEnd(this.#splitter, chunk) : this.#splitter.push(chunk).frames;
    let running: Work;
    // Written inline, because a closure would be allocated for each chunk.
    try {
      running = inOrder(frames, this.#eachFrame);
    } catch (error) {
      this.#refuse(error);
    }
    return running === undefined ? this.#step() : this.#stepAfter(running, this.#nextStep);
  }

  finish(): RelayStep {
    const { frames, upstream } = this.#options;
    const rest = this.#hasEnded ? restAfterEnd(this.#splitter, upstream) : readRest(this.#splitter, upstream);
    const done = (): RelayStep => {
      const { bytes, broken } = this.#step();
      if (broken !== undefined) return { bytes, broken };
      return { bytes: Buffer.concat([bytes, frames.end()]), isTorn: rest.isTorn };
    };
    let running: Work;
    try {
      running = this.#last(rest.frames);
    } catch (error) {
      this.#refuse(error);
    }
    return running === undefined ? done() : this.#stepAfter(running, done);
  }

  fail(report: ErrorReport): Buffer {
    const { client, frames } = this.#options;
    this.#output.flush();
    const bytes = frames.write(this.#output.take());
    const last = this.#output.isAsReceived
      ? [client.encodeStreamError(report, frames.last)]
      : errorFrames(report, this.#options);
    return Buffer.concat([bytes, frames.fail(last)]);
  }

  #refuse(error: unknown): void {
    if (!(error instanceof StreamRefused)) throw error;
    this.#broken = { kind: 'refused', report: error.report };
  }

  /** Returns what was released so far, followed by what comes once the work is done. */
  #stepAfter(running: Promise<void>, done: () => RelayStep): RelayStep {
    return { ...this.#step(), later: running.catch((error: unknown) => this.#refuse(error)).then(done) };
  }

  #step(): RelayStep {
    const { frames } = this.#options;
    const broken = this.#broken;
    if (broken !== undefined) this.#output.flush();
    const bytes = frames.write(this.#output.take());
    if (broken?.kind !== 'error') return broken === undefined ? { bytes } : { bytes, broken };
    const last = broken.frames.length === 0 ? noBytes : frames.fail(broken.frames);
    return { bytes, broken: { kind: 'error', error: broken.error, bytes: last } };
  }

  #frame(received: Frame): Work {
    if (this.#broken !== undefined) return undefined;
    const { upstream, asReceived, frames, decoder, stripper, meter, asRead, edits } = this.#options;
    const read = asRead === undefined ? received : asRead(received);
    const frame = edits === undefined ? read : edits.frame(read);
    const kind = toClass(upstream, frame);
    if (this.#hasEnded) {
      if (asReceived && frames.canWrite(frame) && this.#isSilent(frame, kind)) this.#output.addApart(frame);
      return undefined;
    }
    if (kind === 'error') {
      this.#broken = this.#errorIn(frame);
      return undefined;
    }
    if (isBlank(frame)) return this.#keepAlive(frame);
    const events = decoder.push(frame);
    const given = stripper === undefined ? frame : stripper.frame(frame);
    if (asReceived) {
      if (given !== undefined && !frames.canWrite(given)) {
        this.#broken = { kind: 'error', error: { message: 'The provider sent a frame that is not JSON.' }, frames: [] };
        return undefined;
      }
      this.#end.note(frame, kind);
      meter?.frame(frame);
    }
    if (events.length === 0 && upstream.standsAlone?.(frame) === true) {
      if (asReceived && given !== undefined) this.#output.addApart(given);
      return undefined;
    }
    const opens = kind === 'content' || kind === 'end';
    const isStray = asReceived && this.#isStray(frame, events);
    return this.#events(events, { frame, given: asReceived ? given : undefined, opens, isStray });
  }

  /** Returns an error as it came, unless its frame has words of the answer, which are omitted. */
  #errorIn(frame: Frame): Broken {
    const { upstream, encoder, answersBeside } = this.#options;
    const isOther = answersBeside?.(frame) === true;
    const error = isOther
      ? { message: 'The provider ended its stream with an error.' }
      : upstream.decodeStreamError(frame);
    const isGiven = this.#output.isAsReceived && !isOther && upstream.hidesError?.(frame) !== true;
    return { kind: 'error', error, frames: isGiven ? [frame] : encoder.push({ kind: 'error', error }) };
  }

  /** Passes on a frame without data, which no stage needs to see. */
  #keepAlive(frame: Frame): undefined {
    const { asReceived, frames } = this.#options;
    if (asReceived && frame.event === undefined && frames.canWrite(frame)) this.#output.addApart(frame);
  }

  /** Whether a frame after the end of the answer contains nothing that a stage would see. */
  #isSilent(frame: Frame, kind: FrameClass): boolean {
    return kind !== 'content' && kind !== 'error' && this.#options.isSilent?.(frame) !== false;
  }

  /** Whether a frame that repeats earlier ones also says something else. */
  #isStray(frame: Frame, events: readonly AnswerEvent[]): boolean {
    const { repeats } = this.#options.upstream;
    if (repeats === undefined) return false;
    for (const event of events) this.#said.note(event);
    return repeats(frame).some((text) => !this.#said.has(text));
  }

  #events(events: readonly AnswerEvent[], received: ReceivedFrame): Work {
    const { asReceived, meter } = this.#options;
    const failed = events.find(isFailed);
    const released = failed === undefined ? events : events.slice(0, events.indexOf(failed));
    const hasEnd = released.some(isEnd);
    for (const event of released) {
      if (!asReceived) meter?.event(event);
      this.#choices.note(event);
    }
    if (hasEnd && !asReceived && !this.#choices.areWhole) {
      this.#broken = { kind: 'cut' };
      return undefined;
    }
    if (failed === undefined && (received.opens || hasEnd)) this.begun = true;
    const passed = this.#chain.push(toItems(released, received));
    if (failed !== undefined) return this.#failAfter(passed, failed);
    return hasEnd ? this.#closeAfter(passed) : passed;
  }

  #failAfter(passed: Work, failed: AnswerEventOf<'error'>): Work {
    return thenDo(passed, () => {
      const { error } = failed;
      const frames = this.#output.isAsReceived ? [] : this.#options.encoder.push(failed);
      this.#broken = { kind: 'error', error, frames };
      return undefined;
    });
  }

  #closeAfter(passed: Work): Work {
    return thenDo(passed, () => this.#close());
  }

  /** Called when the answer is complete: the stages release what they hold. */
  #close(): Work {
    this.#hasEnded = true;
    return thenDo(this.#chain.end(), () => {
      this.isClosed = true;
      this.#output.close();
      return undefined;
    });
  }

  /** @param rest the last frame, if it lacks its border */
  #last(rest: readonly Frame[]): Work {
    if (this.#broken !== undefined) return undefined;
    const { asReceived, decoder } = this.#options;
    return thenDo(inOrder(rest, this.#eachFrame), () => {
      if (this.#broken !== undefined || this.isClosed) return undefined;
      const last = decoder.end();
      const released = last.filter((event) => event.kind !== 'error' && event.kind !== 'end');
      for (const event of released) this.#choices.note(event);
      // An error that a decoder finds at the end is a cut, not an error reported by the upstream.
      const isWhole = asReceived
        ? this.#end.isReached
        : last.every((event) => event.kind !== 'error') && this.#choices.areWhole;
      return isWhole ? this.#finishWhole(released) : this.#cut();
    });
  }

  #finishWhole(released: readonly AnswerEvent[]): Work {
    this.begun = true;
    const items = [...released, { kind: 'end' } as const].map((event) => ({ ...madeItem(event, true), made: false }));
    return this.#closeAfter(this.#chain.push(items));
  }

  #cut(): Work {
    this.#broken = { kind: 'cut' };
    return undefined;
  }
}
