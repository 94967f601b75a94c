import { credentialHeaders } from '../../../schema/credentials/credential-headers.ts';
import type { UsableParts } from '../../schema-errors/usable-parts.ts';
import type { Settings } from '../tree/ir-node.ts';

/** Returns the first header, as written, that carries the client's credential to the provider. */
export const forwardsCredential = (
  { forward_headers: headers }: Pick<Settings, 'forward_headers'>,
  sound: UsableParts,
): string | undefined =>
  headers === undefined
    ? undefined
    : sound.items(headers.value, headers.pointer).find(({ value }) => credentialHeaders.has(value.toLowerCase()))
        ?.value;
