/**
 * The traffic types of Vertex AI, by their tiers in a conversation:
 * https://docs.cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1/GenerateContentResponse#TrafficType
 */
const trafficTypes: ReadonlyMap<string, string> = new Map([
  ['default', 'ON_DEMAND'],
  ['flex', 'ON_DEMAND_FLEX'],
  ['priority', 'ON_DEMAND_PRIORITY'],
]);

/** Returns a traffic type that no other format has, such as `PROVISIONED_THROUGHPUT`, unchanged. */
export const decodeTrafficType = (type: string | undefined): string | undefined =>
  [...trafficTypes].find(([, wire]) => wire === type)?.[0] ?? type;

/** Returns undefined for a tier that the format does not have, because Google's libraries warn about a type they do not know. */
export const encodeTrafficType = (tier: string | undefined): string | undefined => {
  if (tier === undefined) return undefined;
  return trafficTypes.get(tier) ?? (/^[A-Z_]+$/.test(tier) ? tier : undefined);
};
