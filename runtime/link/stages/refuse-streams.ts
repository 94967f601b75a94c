import { mayStream } from '../../../plugins/sdk/may-stream.ts';
import { errorReport } from '../../../schema/errors.ts';
import type { OutputChecksStage, Target } from '../../../schema/plan.ts';
import { asksForStream } from '../attempt/asked-for.ts';
import { paramEdits } from '../attempt/param-edits.ts';
import type { LeafStep } from '../leaf-call.ts';

/** Output checks need the whole answer, so a leaf with a check that may change the answer serves no streams. */
export const refuseStreams = (stage: OutputChecksStage, inner: LeafStep, target: Target): LeafStep => {
  if (stage.hooks.every((hook) => hook.async)) return inner;
  const edits = paramEdits(target);
  return async (call) => {
    if (!mayStream(call.exchange.route.operation)) return inner(call);
    return asksForStream(call, edits) ? call.refuse(errorReport('streamed-output-checks', {})) : inner(call);
  };
};
