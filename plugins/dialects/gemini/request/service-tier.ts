/** The tiers of the format, by their names in a conversation: https://ai.google.dev/gemini-api/docs/flex-inference */
const tiers: ReadonlyMap<string, string> = new Map([
  ['default', 'standard'],
  ['flex', 'flex'],
  ['priority', 'priority'],
]);

/** Returns undefined for a tier that the format does not have. */
export const encodeTier = (tier: string): string | undefined => tiers.get(tier);

export const decodeTier = (tier: string | undefined): string | undefined => {
  const known = tier?.toLowerCase();
  return [...tiers].find(([, wire]) => wire === known)?.[0];
};
