import type { JsonObject } from '../../../../schema/json/json.ts';
import type { CheckInput } from '../../../sdk/guardrail/guardrail.ts';

/** A token that is genuine and currently valid. */
export interface GenuineToken {
  /** Empty if only the issuer can read the token. */
  readonly header: JsonObject;
  readonly claims: JsonObject;
}

/** Why a token is not accepted, in a sentence. */
export interface RefusedToken {
  readonly refused: string;
}

/** The request whose token is read. */
export type TokenBearer = Pick<CheckInput, 'cancellation' | 'tenant'>;

/** Reads a token. Throws if it cannot be judged because a service does not answer. */
export type TokenReader = (token: string, bearer: TokenBearer) => Promise<GenuineToken | RefusedToken>;
