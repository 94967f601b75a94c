/** Returns the generation of Gemini in a model's name: 2, 2.5, 3, …, or undefined for any other name. */
export const findGeneration = (model: string | undefined): number | undefined => {
  const [, version, latest] = /gemini-(?:(\d+(?:\.\d+)?)|[a-z-]+-(latest))/.exec(model ?? '') ?? [];
  if (latest !== undefined) return 3;
  return version === undefined ? undefined : Number(version);
};

/** Whether a model is Gemini 3 or later: its calls must carry signatures, and the results of its calls may contain media. */
export const requiresSignatures = (model: string | undefined): boolean => (findGeneration(model) ?? 0) >= 3;
