import { systemClock } from '../in-memory/system-clock.ts';
import { createOutboundProxy, findProxies, type ProxySettings } from './outbound-proxy.ts';
import type { EgressRules } from './upstreams.ts';

export interface EgressParts {
  /** If absent, all hosts are connected to directly. */
  readonly proxy: ProxySettings | undefined;
  /** Reads the authorities that are trusted in addition to Node's. */
  readonly extraCa: (() => string) | undefined;
}

/**
 * Creates the rules for connections to all hosts. Throws an `Error` whose message is a sentence for a proxy that cannot be used.
 */
export const createEgressRules = ({ proxy, extraCa }: EgressParts): EgressRules => {
  const rules = extraCa === undefined ? {} : { extraCa };
  if (proxy === undefined) return rules;
  findProxies(proxy);
  return { ...rules, proxy: createOutboundProxy({ ...proxy, extraCa, clock: systemClock }) };
};
