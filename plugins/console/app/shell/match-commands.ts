/** Returns the commands whose titles contain all typed words. Titles that start with the typed text come first. */
export const matchCommands = <Named extends { readonly title: string }>(
  commands: readonly Named[],
  typed: string,
): readonly Named[] => {
  const wanted = typed.trim().toLowerCase();
  const words = wanted.split(/\s+/).filter((word) => word !== '');
  const found = commands.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
  const rank = ({ title }: Named): number => {
    const text = title.toLowerCase();
    if (text.startsWith(wanted)) return 0;
    return words.every((word) => text.split(/\W+/).some((part) => part.startsWith(word))) ? 1 : 2;
  };
  return [...found].sort((one, other) => rank(one) - rank(other));
};
