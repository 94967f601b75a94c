/** How long a test waits for something without a known duration: a busy machine takes several times as long as usual. */
export const patience: { readonly timeout: number } = { timeout: 30_000 };
