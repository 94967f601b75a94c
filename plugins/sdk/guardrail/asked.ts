/** Calls a function of a plugin and returns its result, or undefined if it throws. Callers then assume the strictest result. */
export const asked = <Answer>(ask: () => Answer): Answer | undefined => {
  try {
    return ask();
  } catch {
    return undefined;
  }
};
