import type { Dialect } from '../../plugins/sdk/dialect/dialect.ts';
import { plainConversation } from '../../schema/model-facts/carried-parts.ts';
import type { Feature } from './features.ts';

const findWords = ({ capability, sample, lost }: Feature, { conversation, conversationClient }: Dialect): boolean => {
  if (capability === undefined && sample === undefined) return true;
  if (sample === undefined || conversation === undefined) return (conversation ?? conversationClient) !== undefined;
  const target = { provider: '', strict: true, drop: new Set<string>(), scope: '' };
  try {
    const always = new Set(conversation.encodeRequest(plainConversation, target).lost);
    const written = conversation.encodeRequest(sample, target).lost;
    return !written.some((member) => (lost === undefined ? !always.has(member) : lost.includes(member)));
  } catch {
    return false;
  }
};

/** By dialect: its codec is tested for a feature once, however many configs are compiled. */
const known = new WeakMap<Dialect, Map<Feature, boolean>>();

/** Whether clients of a dialect can express a feature at all. */
export const canAsk = (feature: Feature, dialect: Dialect): boolean => {
  const own = known.get(dialect) ?? new Map<Feature, boolean>();
  known.set(dialect, own);
  const can = own.get(feature) ?? findWords(feature, dialect);
  own.set(feature, can);
  return can;
};
