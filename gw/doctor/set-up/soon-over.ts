/**
 * How long before its end a certificate should have been renewed, in milliseconds: most are renewed when a third of 90 days is
 * left.
 */
export const renewalMs: number = 14 * 24 * 60 * 60 * 1000;
