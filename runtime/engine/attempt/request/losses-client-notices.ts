import type { Conversation } from '../../../../schema/conversation/conversation.ts';

const sampling = 'sampling.';

/**
 * Returns the losses that the client misses. A format also lists what it adds because it requires it, such as a limit of tokens,
 * and the usage of a stream, which the gateway omits from the answer if the client did not ask for it. A bound value that is sent
 * as another kind is not missed, because not every client's format can express the kind.
 */
export const lossesClientNotices = (lost: readonly string[], conversation: Conversation): readonly string[] => {
  const given = new Set(Object.keys(conversation.sampling).map((name) => sampling + name));
  const wantsUsage = conversation.stream && conversation.streamUsage === true;
  return lost.filter((name) => {
    if (name === 'streamUsage') return wantsUsage;
    if (name.endsWith('.bound')) return false;
    return !name.startsWith(sampling) || given.has(name);
  });
};
