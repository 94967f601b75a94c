import type { LimitedAttempt } from '../../../plugins/sdk/control-plane/limiter.ts';
import type { Writable } from '../../../schema/json/writable.ts';
import type { Target } from '../../../schema/plan/plan.ts';

import { billedCounts } from '../../usage/billed-counts.ts';
import type { LeafCall } from './leaf-call.ts';
import type { OutgoingCall } from './outgoing-call.ts';
import { effectiveParams, paramEdits } from './param-edits.ts';

/** Describes an attempt to a limiter before it is sent. */
export const limitedAttempt = (
  call: LeafCall,
  target: Target,
  { request: { body }, translation, estimated, model, maxOutput, tier, split }: OutgoingCall,
): LimitedAttempt => {
  const { id, from } = target;
  const { route } = call.exchange;
  const { provider, prices, settings } = call.target;
  const attempt: Writable<LimitedAttempt> = {
    target: id,
    provider: provider.id,
    model: model ?? (route.operation === 'opaque' ? '' : (provider.settingsModels?.(settings)[0] ?? '')),
    bodyBytes: split?.bytesToSend ?? (body.kind === 'bytes' ? body.bytes.length : 0),
  };
  if (translation === undefined && estimated === undefined) attempt.isPassedThrough = true;
  if (from.kind === 'saved') attempt.slug = from.slug;
  if (call.prompt !== undefined) attempt.prompt = call.prompt;
  if (maxOutput !== undefined) {
    attempt.maxOutput = maxOutput;
    attempt.mostOutput = maxOutput;
  }
  if (tier !== undefined) attempt.tier = tier;
  const calls = billedCounts(route.operation, () => effectiveParams(call, paramEdits(target)));
  if (calls !== undefined) attempt.calls = calls;
  if (prices !== undefined) attempt.prices = prices;
  return attempt;
};
