import { errorText } from '../../schema/text/error-text.ts';
import { systemClock } from '../memory/system-clock.ts';
import { createOutboundProxy, findProxies } from '../upstream/proxy/outbound-proxy.ts';
import { readCertificates } from '../upstream/tls/find-tls-problem.ts';
import type { EgressRules } from '../upstream/upstreams.ts';
import type { EgressSettings } from './egress-settings.ts';

const place = 'the settings of createGateway';

/** Makes the rules for the connections to all hosts. Throws an `Error` for settings that cannot be used. */
export const toEmbeddedEgress = ({ proxy: setting, trustedAuthorities: pem }: EgressSettings): EgressRules => {
  if (pem !== undefined && readCertificates(pem) === undefined)
    throw new Error(
      `"trustedAuthorities" in ${place} is not a certificate in PEM. Give it the text of one, or of several one after another.`,
    );
  const extraCa = pem === undefined ? undefined : () => pem;
  const rules = extraCa === undefined ? {} : { extraCa };
  if (setting === undefined) return rules;
  const proxy = { setting, place, env: process.env, read: (text: string) => text };
  try {
    findProxies(proxy);
  } catch (error) {
    throw new Error(`${errorText(error)} Correct it, or leave out "proxy".`, { cause: error });
  }
  return { ...rules, proxy: createOutboundProxy({ ...proxy, extraCa, clock: systemClock }) };
};
