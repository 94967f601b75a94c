import { findAnswerCodec } from '../../../plugins/sdk/dialect/find-answer-codec.ts';
import { framings } from '../../../plugins/sdk/framings/framings.ts';
import type { GatewayResponse } from '../../../plugins/sdk/http/http.ts';
import { GatewayError } from '../../../schema/errors/errors.ts';
import { isSuccess, statusMatcher } from '../../../schema/http/status.ts';
import type { FallbackNode } from '../../../schema/plan/plan.ts';
import type { WhyNotContinued } from '../../../schema/trail/trail.ts';
import type { LinkContext } from '../call/context.ts';
import type { Run } from '../call/run.ts';
import type { StreamSource, TakeOver } from '../call/stream-source.ts';
import { discard } from '../error-responses/discard.ts';
import { breakOutcome } from './break-outcome.ts';
import type { ClientWriterParts } from './client-writer.ts';
import { continuationOf } from './continued-request.ts';
import { ContinuedStream, type Next } from './continued-stream.ts';
import { Handover } from './handover.ts';
import { whyNotContinued } from './why-not-continued.ts';

/** The branch whose stream is a fallback's answer, and the branches that it has not called. */
export interface StreamingBranch {
  readonly response: GatewayResponse;
  readonly from: number;
  readonly others: readonly number[];
  readonly run: Run;
}

/** Executes a branch by its index. */
export type ExecuteBranch = (branch: number, run: Run) => Promise<GatewayResponse>;

/** The streams of a fallback that continue elsewhere. */
export interface ContinuedStreams {
  readonly takeOver: TakeOver;
  /**
   * Makes a stream continue if it breaks. Answers that are not streams, and streams that nothing can continue, are returned
   * unchanged.
   */
  goOn(branch: StreamingBranch): GatewayResponse;
}

const toParts = ({ dialect, framing }: StreamSource): ClientWriterParts | undefined => {
  const codec = dialect && findAnswerCodec(dialect);
  return dialect && codec && { dialect, codec, framing: framings[framing] };
};

/** Returns that no stream follows. Nothing is reported to a client that has disconnected. */
const noStream = ({ exchange, isPastDeadline }: Run, reason: WhyNotContinued): Next =>
  exchange.cancellation.cancelled && !isPastDeadline ? { kind: 'over' } : { kind: 'not', reason };

export interface ContinueContext extends Pick<LinkContext, 'ports' | 'names'> {
  /** For a replay: returns why the stream that breaks next did not continue. Undefined if that follows from what is replayed. */
  readonly recordedReason?: () => WhyNotContinued | undefined;
}

/** Lets the streams of a fallback continue at its next branches, each at most once. */
export const linkContinue = (
  { path, on }: FallbackNode,
  execute: ExecuteBranch,
  context: ContinueContext,
): ContinuedStreams => {
  const triggers = statusMatcher(on);
  const { answerMemory } = context.ports;

  /** Calls a branch to continue. Undefined if it cannot. */
  const answered = async (branch: number, run: Run): Promise<GatewayResponse | 'refused' | undefined> => {
    try {
      const response = await execute(branch, run);
      return response.cause === 'cannot-continue' ? undefined : response;
    } catch (error) {
      if (error instanceof GatewayError) return 'refused';
      throw error;
    }
  };

  /** Returns the stream of a branch that was called to continue, or why there is none. */
  const toNext = (response: GatewayResponse | 'refused', run: Run): Next => {
    if (response === 'refused') return { kind: 'not', reason: 'refused' };
    const { body, status, cause, handover, leaf } = response;
    if (cause === 'no-output-left') return { kind: 'not', reason: 'length' };
    const isGoing = isSuccess(status) && !triggers(response) && !run.cancellation.cancelled;
    if (isGoing && body.kind === 'stream' && handover instanceof Handover)
      return { kind: 'stream', body, handover, path: leaf?.path ?? path };
    discard(response);
    return noStream(run, 'refused');
  };

  const goOn = ({ response, from: first, others, run }: StreamingBranch): GatewayResponse => {
    const { body, handover } = response;
    if (body.kind === 'bytes' || !(handover instanceof Handover)) return response;
    const { exchange, continuation: before } = run;
    const { source } = handover;
    let from = first;
    let left = others;

    /** Calls the next branch that can continue. Each is called at most once. */
    const askNext = async (text: string): Promise<Next & { readonly to?: number }> => {
      while (!run.ended) {
        const to = left[0];
        if (to === undefined) break;
        left = left.slice(1);
        run.continuation = continuationOf(text, context.names);
        const response = await answered(to, run);
        if (response !== undefined) return { ...toNext(response, run), to };
      }
      return noStream(run, 'no-branch');
    };

    const ask = async (said: string, cause: string): Promise<Next> => {
      const refusal = whyNotContinued(source);
      if (refusal !== undefined) return { kind: 'not', reason: refusal };
      const { to = from, ...next } = await askNext(`${before?.text ?? ''}${said}`);
      if (next.kind !== 'stream') return next;
      exchange.trail.push({ kind: 'continued', path, from, to, cause });
      from = to;
      return next;
    };

    const continued = new ContinuedStream(
      { body, handover },
      {
        parts: toParts(source),
        takeMemory: answerMemory && ((bytes) => answerMemory.take(bytes, exchange)),
        saysUsage: exchange.overrides.usage === true && source.framing === 'sse',
        isListed: (error) => {
          const outcome = breakOutcome(error);
          return outcome !== undefined && triggers(outcome);
        },
        hasNext: () => left.length > 0,
        recordedReason: context.recordedReason,
        ask: (text, { code }) => ask(text, code),
        stopped: (reason) => exchange.trail.push({ kind: 'notContinued', path, branch: from, reason }),
      },
    );
    return { ...response, body: continued, handover: continued.handover };
  };
  return { takeOver: (source) => new Handover(source), goOn };
};
