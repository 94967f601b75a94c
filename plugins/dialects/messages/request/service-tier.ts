import { type Lost, recordLoss } from '../../shared/request/lost.ts';

/**
 * Decodes the `service_tier` of a request: https://docs.anthropic.com/en/api/service-tiers. A request without priority is a
 * standard one.
 */
export const decodeTier = (tier: string | undefined): string | undefined =>
  tier === 'standard_only' ? 'default' : tier;

/** Returns undefined for a tier that the API does not have. */
export const encodeTier = (tier: string | undefined, lost: Lost): string | undefined => {
  if (tier === undefined || tier === 'auto') return tier;
  return tier === 'default' ? 'standard_only' : recordLoss('serviceTier', lost);
};

/** Returns the tier that served a request. The default tier is called `standard` here. */
export const decodeServedTier = (tier: string | undefined): string | undefined =>
  tier === 'standard' ? 'default' : tier;

export const encodeServedTier = (tier: string | undefined): string | undefined =>
  tier === 'default' ? 'standard' : tier;
