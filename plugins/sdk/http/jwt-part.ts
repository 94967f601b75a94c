import { fromJson } from '../../../schema/json/from-json.ts';
import type { JsonObject } from '../../../schema/json/json.ts';

/**
 * Returns the header or the claims of a token that has already been verified (RFC 7515, section 3.1). They are parsed here rather
 * than by the verifying library, which would read the names as the engine does.
 */
export const jwtPart = (token: string, part: 'header' | 'claims'): JsonObject => {
  const [header = '', claims = ''] = token.split('.');
  return fromJson(Buffer.from(part === 'header' ? header : claims, 'base64url').toString());
};
