/** The id of the posting that corrects the estimate of an attempt: always the same one, so that the ledger keeps it once. */
export const correctionId = (id: string): string => `${id}~corrected`;
