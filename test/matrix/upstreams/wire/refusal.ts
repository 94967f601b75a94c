/** Creates the error that a vendor would answer with status 400, with the place in the request. */
export const refusal = (at: string, why: string): Error => new Error(`${at}: ${why}`);
