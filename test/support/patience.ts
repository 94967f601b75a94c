/** How long a test waits for what will be, where nothing says how soon: a crowded machine takes several times as long. */
export const patience: { readonly timeout: number } = { timeout: 30_000 };
