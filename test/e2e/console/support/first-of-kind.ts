/**
 * A selector that excludes controls of later rows of a table and of later charts, because they repeat the controls of the first
 * ones.
 */
export const firstOfKind = ':not(tbody tr:nth-child(n+5) *, .usage-grid > :nth-child(n+4) *)';
