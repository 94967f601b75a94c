import { fromJson } from '../../../schema/json/from-json.ts';
import type { JsonObject } from '../../../schema/json/json.ts';

/**
 * The header or the claims of a token that has been verified (RFC 7515, section 3.1), read here instead of by the library that
 * verified it, which would read the names as the engine does.
 */
export const jwtPart = (token: string, part: 'header' | 'claims'): JsonObject => {
  const [header = '', claims = ''] = token.split('.');
  return fromJson(Buffer.from(part === 'header' ? header : claims, 'base64url').toString());
};
