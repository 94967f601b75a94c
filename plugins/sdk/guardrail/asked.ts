/** Calls a plugin; one that fails says nothing, and what it does not say is taken to be the strictest. */
export const asked = <Answer>(ask: () => Answer): Answer | undefined => {
  try {
    return ask();
  } catch {
    return undefined;
  }
};
