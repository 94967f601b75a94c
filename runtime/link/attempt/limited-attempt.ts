import type { LimitedAttempt } from '../../../plugins/sdk/limiter.ts';
import type { Target } from '../../../schema/plan.ts';
import type { LeafCall } from '../leaf-call.ts';
import type { OutgoingCall } from './outgoing-call.ts';

/** What a limiter is told of an attempt before it is sent. */
export const limitedAttempt = (
  { exchange: { route }, target: { provider, prices, settings } }: LeafCall,
  { id, from }: Target,
  { request: { body }, model, mostOutput }: OutgoingCall,
): LimitedAttempt => ({
  target: id,
  provider: provider.id,
  ...(from.kind === 'saved' ? { slug: from.slug } : {}),
  model: model ?? (route.operation === 'opaque' ? '' : (provider.settingsModels?.(settings)[0] ?? '')),
  bodyBytes: body.kind === 'bytes' ? body.bytes.length : 0,
  ...(mostOutput === undefined ? {} : { mostOutput }),
  ...(prices === undefined ? {} : { prices }),
});
