import type { JsonObject } from '../../../../schema/json/json.ts';

export const isCall = (part: JsonObject): boolean => part.functionCall !== undefined;

/** Adds a signature to the first call, if it has none. Of parallel calls, only the first one has a signature. */
export const signFirstCall = (parts: readonly JsonObject[], signature: string): readonly JsonObject[] => {
  const first = parts.findIndex(isCall);
  return parts.map((part, at) => (at === first ? { thoughtSignature: signature, ...part } : part));
};
