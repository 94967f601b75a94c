import type { Frame, StreamDecoder } from '../../../plugins/sdk/dialect/dialect.ts';
import type { StreamStageFactory } from '../../../plugins/sdk/hooks/hooks.ts';
import type { AnswerEvent } from '../../../schema/conversation/answer.ts';
import { unambiguousText } from '../../json-bodies/read/unambiguous-bytes.ts';
import type { Staging } from '../../streams/create-relay.ts';
import type { LinkedStage } from '../../streams/stage-queue.ts';
import type { LeafCall } from '../call/leaf-call.ts';
import { AnswerCoding } from './answer-coding.ts';
import { eventKinds } from './event-kinds.ts';
import { hookResultsFrame } from './hook-results-frame.ts';
import type { StreamChecks } from './link-stream-checks.ts';
import { RestoreStage } from './restore-stage.ts';
import type { PluginStages, StreamedAnswer } from './streamed-answer.ts';

/** The stages of one stream. */
export interface StagedStream {
  readonly staging: Staging;
  /** Returns the status of the answer when it begins. */
  status(): number;
  /** Called when the client starts to receive the stream. */
  take(): void;
}

const pluginStage = (
  factory: StreamStageFactory,
  { originalExchange }: LeafCall,
  failed: PluginStages['failed'],
): LinkedStage => {
  const stage = factory.create(originalExchange);
  const { reads, holds } = factory;
  return {
    ...{ reads, holds, push: (event) => stage.push(event), end: () => stage.end() },
    failed: (error) => failed(error, originalExchange),
  };
};

const restoreStage = ({ restorer }: LeafCall, coding: AnswerCoding): LinkedStage | undefined => {
  if (restorer === undefined) return undefined;
  const stage = new RestoreStage(restorer, coding.client.joinsTexts === true);
  const holds = { chars: restorer.longest };
  return { reads: eventKinds, holds, push: (event) => stage.push(event), end: () => stage.end() };
};

/**
 * Whether the client receives usage. Within one dialect it does if its provider sends it, unless only the gateway requested it.
 */
export const givesUsage = (
  { outgoing }: LeafCall,
  { translation, streamUsage }: Pick<StreamedAnswer, 'translation' | 'streamUsage'>,
): boolean => (translation.kind === 'same' ? outgoing?.strip === undefined : streamUsage);

/** Whether a frame reports only counts, and that the answer begins or ends. */
const isSilent = (events: readonly AnswerEvent[]): boolean =>
  events.every((event) => {
    switch (event.kind) {
      case 'start':
      case 'block-end':
      case 'usage':
      case 'end':
        return true;
      case 'finish':
        return event.finish.details === undefined;
      default:
        return false;
    }
  });

/** Rewrites a frame in which an object repeats a key, so that its client reads what is judged. */
const asRead = (frame: Frame): Frame => {
  const data = unambiguousText(frame.data);
  return data === frame.data ? frame : { ...frame, data };
};

/** Returns the trailer with the results of the output checks. Only clients that turned strictness off receive it, once. */
const findTrailer = (call: LeafCall, coding: AnswerCoding, checks: StreamChecks | undefined): Staging['trailer'] => {
  if (checks === undefined) return undefined;
  return () => {
    const { outputResults } = call;
    return outputResults === undefined
      ? []
      : [hookResultsFrame('after_request_hooks', JSON.stringify(outputResults), coding.client)];
  };
};

/**
 * Returns the stages of a stream, in order: those of plugins, the output checks, and last the one that restores values in place
 * of placeholders, which checks do not see. Undefined if there are none, or if the gateway cannot read the dialect's answers.
 */
export const stageStream = (call: LeafCall, answer: StreamedAnswer): StagedStream | undefined => {
  const { stages, checks: link, strict } = answer;
  const { factories, failed } = stages;
  if (factories.length === 0 && link === undefined && call.restorer === undefined) return undefined;
  const options = { ...answer, streamUsage: givesUsage(call, answer) };
  const coding = AnswerCoding.of(call, options);
  if (coding === undefined) return undefined;
  const checks = link?.(call, coding);
  const restore = restoreStage(call, coding);
  const linked = [
    ...factories.map((factory) => pluginStage(factory, call, failed)),
    ...(checks === undefined ? [] : [checks.stage]),
    ...(restore === undefined ? [] : [restore]),
  ];
  if (linked.length === 0) return undefined;
  const createDecoder = (): StreamDecoder => (checks === undefined ? coding.streamDecoder() : coding.judgedDecoder());
  const trailer = strict ? undefined : findTrailer(call, coding, checks);
  return {
    staging: {
      stages: linked,
      decoder: createDecoder(),
      ...(checks === undefined ? {} : { asRead, answersBeside: (frame: Frame) => coding.showsAnswer(frame) }),
      isSilent: (frame) => isSilent(createDecoder().push(frame)),
      encoder: coding.streamEncoder(),
      ...(trailer === undefined ? {} : { trailer }),
    },
    status: () => checks?.status() ?? 200,
    take: () => checks?.take(),
  };
};
