import { holdingHooks, type StreamMode, streamMode } from '../../../plugins/sdk/guardrail/stream-mode.ts';
import type { HookResult } from '../../../plugins/sdk/hooks/hook-result.ts';
import { checkFailedStatus } from '../../../schema/http/status.ts';
import type { CheckHook, LeafNode, Target } from '../../../schema/plan/plan.ts';
import { findStage } from '../../../schema/plan/stages.ts';
import type { LinkedStage } from '../../streams/stage-queue.ts';
import { attemptedEvent } from '../call/attempted-event.ts';
import type { LinkContext } from '../call/context.ts';
import type { LeafCall } from '../call/leaf-call.ts';
import { effectiveParams, paramEdits } from '../call/param-edits.ts';
import { asksForStream } from '../call/requested-model-and-stream.ts';
import { checkedEvent } from '../guardrail-checks/checked-event.ts';
import { linkChecks } from '../guardrail-checks/link-checks.ts';
import type { AnswerCoding } from './answer-coding.ts';
import { eventKinds } from './event-kinds.ts';
import { HoldStage } from './hold-stage.ts';
import { linkPieceChecks } from './link-piece-checks.ts';
import { ReportStage } from './report-stage.ts';
import { StreamJudge } from './stream-judge.ts';
import { WindowStage } from './window-stage.ts';

/** The output checks of one stream. */
export interface StreamChecks {
  readonly stage: LinkedStage;
  /**
   * Returns the status of the answer when it begins. If checks held the whole answer, some may have failed without denying it.
   */
  status(): number;
  /** Called when the client starts to receive the stream. */
  take(): void;
}

/** Creates the output checks of one stream. Returns undefined if the client did not request a stream. */
export type LinkedStreamChecks = (call: LeafCall, coding: AnswerCoding) => StreamChecks | undefined;

/** Returns the declaration of the stages of one mode. */
const declared = (mode: StreamMode): Pick<LinkedStage, 'reads' | 'holds' | 'onlyReads'> => {
  switch (mode.kind) {
    case 'report':
      return { reads: eventKinds, holds: 'none', onlyReads: true };
    case 'hold':
      return { reads: eventKinds, holds: 'all' };
    case 'windows':
      return { reads: eventKinds, holds: { chars: mode.overlap } };
  }
};

/** Links a leaf's output checks for streams. Returns undefined if it has none. */
export const linkStreamChecks = (
  leaf: LeafNode,
  target: Target,
  context: LinkContext,
): LinkedStreamChecks | undefined => {
  const hooks: readonly CheckHook[] | undefined = findStage(leaf, 'output-checks')?.hooks;
  if (hooks === undefined) return undefined;
  const mode = streamMode(hooks, context.names.check);
  const whole = linkChecks('output', hooks, context);
  const piece = linkPieceChecks(holdingHooks(hooks, context.names.check), context);
  const edits = paramEdits(target);
  const { path } = leaf;

  /** Reports the attempt first: in the trail's order, an attempt is answered before its answer is judged. */
  const reportStreamed = (call: LeafCall): void => {
    if (call.isAttemptReported) return;
    call.isAttemptReported = true;
    context.notices.attempted(
      attemptedEvent(call, { target: target.id, status: 200, origin: 'upstream' }),
      call.originalExchange,
    );
  };
  const reportDenied = (call: LeafCall, results: readonly HookResult[]): void => {
    reportStreamed(call);
    const { originalExchange } = call;
    for (const result of results) context.notices.judged({ path, phase: 'output', result }, originalExchange);
    originalExchange.trail.push(checkedEvent({ path, phase: 'output', result: 'denied' }, results));
  };

  return (call, coding) => {
    if (!asksForStream(call, edits)) return undefined;
    const judge = new StreamJudge({
      call,
      coding,
      params: effectiveParams(call, edits),
      whole,
      piece,
      onWhole: () => reportStreamed(call),
      onDenied: (results) => reportDenied(call, results),
    });
    let status = 200;
    const { promise: taken, resolve: take } = Promise.withResolvers<void>();
    const deny = (): void => {
      call.judgedStream = 'denied';
    };
    const stage = (): LinkedStage => {
      const joined = coding.client.joinsTexts === true;
      switch (mode.kind) {
        case 'report':
          return linked(new ReportStage(judge, taken));
        case 'windows':
          return linked(
            new WindowStage({
              ...{ judge, overlap: mode.overlap, joined, onDenied: deny },
              said: call.run.continuation?.text,
            }),
          );
        case 'hold':
          return linked(
            new HoldStage({
              judge,
              onJudged: (result) => {
                if (result === 'denied') deny();
                if (result === 'failed') status = checkFailedStatus;
              },
            }),
          );
      }
    };
    const linked = (made: Pick<LinkedStage, 'push' | 'end'>): LinkedStage => ({
      ...declared(mode),
      push: (event) => made.push(event),
      end: () => made.end(),
    });
    call.judgedStream = 'open';
    return { stage: stage(), status: () => status, take };
  };
};
