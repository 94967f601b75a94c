const dayMs = 24 * 60 * 60 * 1000;

/** Chooses the sample of `sampled-pairs.ts` for all processes of a run: that of the current day, unless SAMPLE specifies one. */
export default (): void => {
  process.env.SAMPLE ??= String(Math.floor(Date.now() / dayMs));
  if (process.env.SAMPLE !== 'all')
    process.stdout.write(
      `Long lists are sampled: SAMPLE=${process.env.SAMPLE} tries the same, SAMPLE=all everything.\n`,
    );
};
