/** So long before its end a certificate is to have been renewed, in milliseconds: most are when a third of 90 days is left. */
export const soonMs: number = 14 * 24 * 60 * 60 * 1000;
