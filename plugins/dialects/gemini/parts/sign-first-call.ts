import type { JsonObject } from '../../../../schema/json/json.ts';

const isCall = (part: JsonObject): boolean => part.functionCall !== undefined;

/** The parts with a value on the first call, if that has no signature: of parallel calls, only the first one has any. */
export const signFirstCall = (parts: readonly JsonObject[], signature: string): readonly JsonObject[] => {
  const first = parts.findIndex(isCall);
  return parts.map((part, at) => (at === first ? { thoughtSignature: signature, ...part } : part));
};
