import type { ErrorCode, ErrorReport } from '../../../../schema/errors/errors.ts';

const codes: ReadonlySet<ErrorCode> = new Set([
  'connection-failed',
  'proxy-failed',
  'pool-full',
  'address-not-allowed',
  'host-behind-proxy',
  'unusable-tls',
]);

/** Whether a failure means that nothing of the request was sent. In-process upstreams can report that only in this way. */
export const isUnsent = ({ code }: ErrorReport): boolean => codes.has(code);
