import type { Dialect } from '../../sdk/dialect/dialect.ts';
import type { CountedDialect } from './count-dialect.ts';

/** Returns the dialect, typed with the members that a count needs. */
export const toCountedDialect = (dialect: Dialect): CountedDialect => {
  const { conversation, earlierTexts, members, texts } = dialect;
  if (conversation === undefined || earlierTexts === undefined || members === undefined || texts === undefined)
    throw new TypeError(`The dialect ${dialect.id} has no conversations.`);
  return { ...dialect, conversation, earlierTexts, members, texts };
};
