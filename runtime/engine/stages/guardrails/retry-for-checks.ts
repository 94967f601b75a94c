import type { GatewayResponse } from '../../../../plugins/sdk/http/http.ts';
import { GatewayError } from '../../../../schema/errors/errors.ts';
import type { LeafCall, LeafStep } from '../../call/leaf-call.ts';
import { discard } from '../../error-responses/discard.ts';

/** Whether a conversation can have further turns: its client's dialect must be readable. */
const mayFollow = ({ exchange, readDialect, run, isRetriedForChecks }: LeafCall): boolean =>
  !isRetriedForChecks &&
  !run.ended &&
  exchange.route.operation === 'converse' &&
  readDialect?.conversation !== undefined;

/** Returns the answer to the further attempt. Undefined if the request cannot be sent with the turns. */
const secondAnswer = async (
  judged: LeafStep,
  { call, first }: { readonly call: LeafCall; readonly first: GatewayResponse },
): Promise<GatewayResponse | undefined> => {
  try {
    return await judged(call);
  } catch (error) {
    if (error instanceof GatewayError) return undefined;
    discard(first);
    throw error;
  }
};

/**
 * Makes the one further attempt that checks request: the turns of the request are followed by the model's answer and what was
 * wrong with it. If there is a second answer that is judged, it is the answer, whatever the verdict. Otherwise the first is.
 */
export const retryForChecks =
  (judged: LeafStep): LeafStep =>
  async (call) => {
    const first = await judged(call);
    const { askedRetry, target, outgoing, outputResults, judgedStream } = call;
    if (askedRetry === undefined || !mayFollow(call)) return first;
    call.isRetriedForChecks = true;
    call.retryTurns = askedRetry;
    call.outgoing = undefined;
    const second = await secondAnswer(judged, { call, first });
    call.retryTurns = undefined;
    // A request that was built for one key of a target is not sent with another.
    call.outgoing = call.target === target ? outgoing : undefined;
    if (second !== undefined && (call.outputResults !== undefined || call.run.ended)) {
      discard(first);
      return second;
    }
    if (second !== undefined) discard(second);
    call.outputResults = outputResults;
    call.judgedStream = judgedStream;
    return { ...first, leaf: call.report };
  };
