/** What a vendor would answer with a 400, and where in the request it is. */
export const refusal = (at: string, why: string): Error => new Error(`${at}: ${why}`);
