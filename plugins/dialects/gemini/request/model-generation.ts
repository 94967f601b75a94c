/** The generation of Gemini that a model's name says: 2, 2.5, 3, …; undefined for any other name. */
export const findGeneration = (model: string | undefined): number | undefined => {
  const [, version, latest] = /gemini-(?:(\d+(?:\.\d+)?)|[a-z-]+-(latest))/.exec(model ?? '') ?? [];
  if (latest !== undefined) return 3;
  return version === undefined ? undefined : Number(version);
};

/** Gemini 3 and later: its calls must carry signatures, and the results of its calls may contain media. */
export const isSigning = (model: string | undefined): boolean => (findGeneration(model) ?? 0) >= 3;
