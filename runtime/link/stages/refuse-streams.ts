import { errorReport } from '../../../schema/errors.ts';
import type { OutputChecksStage, Target } from '../../../schema/plan.ts';
import { effectiveParams, paramEdits } from '../attempt/param-edits.ts';
import type { LeafStep } from '../leaf-call.ts';

/** Output checks read whole answers: a leaf that has one which may change the answer serves no stream. */
export const refuseStreams = (stage: OutputChecksStage, inner: LeafStep, target: Target): LeafStep => {
  if (stage.hooks.every((hook) => hook.async)) return inner;
  const edits = paramEdits(target);
  return async (call) => {
    if (call.exchange.route.operation !== 'converse') return inner(call);
    return effectiveParams(call, edits).stream === true
      ? call.refuse(errorReport('streamed-output-checks', {}))
      : inner(call);
  };
};
