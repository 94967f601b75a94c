import { readCertificates } from '../../plugins/sdk/http/read-pem.ts';
import { errorText } from '../../schema/text/error-text.ts';
import { createEgressRules } from '../upstream/egress-rules.ts';
import type { EgressRules } from '../upstream/upstreams.ts';
import type { EgressSettings } from './egress-settings.ts';

const place = 'the settings of createGateway';

/** Creates the rules for connections to all hosts. Throws an `Error` for settings that cannot be used. */
export const toEmbeddedEgress = ({ proxy: setting, trustedAuthorities: pem }: EgressSettings): EgressRules => {
  if (pem !== undefined && readCertificates(pem) === undefined)
    throw new Error(
      `"trustedAuthorities" in ${place} is not a PEM certificate. Set it to the text of one, or of several one after another.`,
    );
  const read = (text: string): string => text;
  const proxy = setting === undefined ? undefined : { setting, place, env: process.env, read };
  try {
    return createEgressRules({ proxy, extraCa: pem === undefined ? undefined : () => pem });
  } catch (error) {
    throw new Error(`${errorText(error)} Correct it, or omit "proxy".`, { cause: error });
  }
};
