import { credentialHeaders } from '../../schema/credential-headers.ts';
import type { Settings } from './ir-node.ts';

/** The first header, as it is written, that carries the client's credential to the provider. */
export const forwardsCredential = ({
  forward_headers: headers,
}: Pick<Settings, 'forward_headers'>): string | undefined =>
  headers?.value.find((name) => credentialHeaders.has(name.toLowerCase()));
