/** A selector of what is no control of a later row of a table or of a later chart: these have the controls of the first ones again. */
export const firstOfKind = ':not(tbody tr:nth-child(n+5) *, .usage-grid > :nth-child(n+4) *)';
