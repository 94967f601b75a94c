import type { HostError } from '../../../sdk/http/host-error.ts';

/** Suggests what to do about a host that may not be called; `correction` is what its author can do without an operator. */
export const hostHint = ({ listable }: HostError, url: string, correction: string): string => {
  if (!listable) return correction;
  const { host } = new URL(url);
  return `${correction} If the host is one of yours, the operator can allow it with "trusted_hosts": ["${host}"] in the gateway file, or with GW_TRUSTED_HOSTS=${host}.`;
};
