import type { LimitedAttempt } from '../../../plugins/sdk/control-plane/limiter.ts';
import type { Operation } from '../../../plugins/sdk/exchange/exchange.ts';
import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { findItems } from '../../../schema/json/loose.ts';
import type { Writable } from '../../../schema/json/writable.ts';
import type { Target } from '../../../schema/plan/plan.ts';
import type { LeafCall } from './leaf-call.ts';
import type { OutgoingCall } from './outgoing-call.ts';
import { effectiveParams, paramEdits } from './param-edits.ts';

/** More than any provider allows for one request. */
const max = 10_000;

/** A form contains numbers as text. */
const toCount = (value: Json | undefined): number => {
  const count = typeof value === 'string' ? Number(value) : value;
  return typeof count === 'number' && count >= 1 ? Math.min(Math.ceil(count), max) : 1;
};

/** https://docs.cohere.com/docs/how-does-cohere-pricing-work: a search has up to a hundred documents. */
const documentsOfSearch = 100;

/**
 * Returns what a request asks for that providers count besides tokens, by its name in usage records. Undefined for operations for
 * which nothing else is counted. A document has at least one page.
 */
const billedCounts = (operation: Operation, params: () => JsonObject): Readonly<Record<string, number>> | undefined => {
  switch (operation) {
    case 'image':
      return { image: toCount(params().n) };
    case 'rerank':
      return { search: toCount((findItems(params().documents)?.length ?? 0) / documentsOfSearch) };
    case 'ocr':
      return { page: 1 };
    default:
      return undefined;
  }
};

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
