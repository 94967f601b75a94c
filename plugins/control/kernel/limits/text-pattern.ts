/** Whether a text is a pattern, and not the one text that it matches. */
export const isPattern = (text: string): boolean => text.startsWith('*') || text.endsWith('*');

/** Matches a text: `*` at an end stands for any text there, and alone for any text at all. */
export const textPattern = (pattern: string): ((text: string) => boolean) => {
  if (pattern === '*') return () => true;
  const isOpenFirst = pattern.startsWith('*');
  const isOpenLast = pattern.endsWith('*');
  const kept = pattern.slice(isOpenFirst ? 1 : 0, isOpenLast ? -1 : undefined);
  if (isOpenFirst && isOpenLast) return (text) => text.includes(kept);
  if (isOpenFirst) return (text) => text.endsWith(kept);
  return isOpenLast ? (text) => text.startsWith(kept) : (text) => text === kept;
};
