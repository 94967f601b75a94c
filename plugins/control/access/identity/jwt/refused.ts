/** Why a token is not accepted, in a sentence that has nothing of the token in it. */
export interface Refused {
  readonly refused: string;
}

export const isRefused = (outcome: object): outcome is Refused => 'refused' in outcome;
