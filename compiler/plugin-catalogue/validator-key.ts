import { canonicalJson } from '../../schema/json/canonical.ts';
import { sha256 } from '../../schema/text/sha256.ts';

/** The key of a closed schema among the validators that were generated in advance. */
export const validatorKey = (closed: object): string => sha256(canonicalJson(closed)).slice(0, 16);
