import { headerValue } from '../../../../plugins/sdk/http/http.ts';
import { AddressNotAllowed } from '../../../../runtime/upstream/dns/checked-lookup.ts';
import { findConnectionCode } from '../../../../runtime/upstream/network-report.ts';
import type { ErrorReport } from '../../../../schema/errors/errors.ts';
import type { Check, Finding } from '../../set-up/finding.ts';
import type { OriginProbe } from '../../set-up/set-up.ts';
import { toReport } from '../../set-up/to-report.ts';

/** The remedy for a host that requires a certificate of the gateway. */
const ownCertificate =
  'Check that service. If it asks for a certificate of the gateway, name that with its key in "tls" of its provider.';

const oldTls = 'Have the service speak TLS 1.2 or newer.';

const remedies: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Start the service, or correct the address ("custom_host", or the port in it).',
  ENOTFOUND: 'Correct the name, or let the name server of this machine know it.',
  EAI_AGAIN: 'Check the name servers of this machine (/etc/resolv.conf), and that it may ask them.',
  ETIMEDOUT: 'Check that a firewall lets this machine connect to it.',
  UND_ERR_CONNECT_TIMEOUT: 'Check that a firewall lets this machine connect to it.',
  EHOSTUNREACH: 'Check the routes of this machine, and that a firewall lets it connect.',
  ENETUNREACH: 'Check the routes of this machine, and that it has an address of this kind (IPv4 or IPv6).',
  CERT_HAS_EXPIRED: 'Have its certificate renewed, and check the clock of this machine.',
  CERT_NOT_YET_VALID: 'Check the clock of this machine, and when its certificate begins.',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'Name a file with its certificate in "trusted_authorities" of the gateway file, or give it one of an authority.',
  SELF_SIGNED_CERT_IN_CHAIN:
    'Name a file with the certificate of its authority in "tls" of its provider, or in "trusted_authorities" of the gateway file.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'Name a file with the certificate of its authority in "tls" of its provider, or in "trusted_authorities" of the gateway file.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'Let the server send its whole chain, or name a file with the certificate of its authority in "tls" of its provider, or in "trusted_authorities" of the gateway file.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Use the name that its certificate is for, or have one made for this name.',
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: ownCertificate,
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: oldTls,
  ERR_SSL_UNSUPPORTED_PROTOCOL: oldTls,
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: 'Correct the name in the address, or "server_name" in "tls" of its provider.',
  EPROTO: 'Check whether the address begins with https:// where the service speaks http://.',
};

const names = ({ targets }: OriginProbe): string => [...new Set(targets.map(({ name }) => name))].join(', ');

const firstCode = (error: unknown): string =>
  findConnectionCode(error instanceof AggregateError ? error.errors[0] : error);

/** Returns the fact of a report without its advice, which is for those who send requests. */
const toFact = ({ message }: ErrorReport): string => message.split(/(?<=\.) /, 1)[0] ?? message;

const failed = (probe: OriginProbe, error: unknown): readonly Finding[] => {
  const { host } = probe;
  const subject = `${host} (${names(probe)})`;
  if (error instanceof AddressNotAllowed)
    return [
      {
        severity: 'error',
        subject,
        what: `The host ${host} ${host.includes(error.address) ? 'is' : `resolves to ${error.address}, which is`} not a public address, so the gateway does not call it.`,
        remedy: `If it is yours, list it under "trusted_hosts" of the gateway file or in GW_TRUSTED_HOSTS: ${host}`,
      },
    ];
  const report = toReport(error, host);
  // That is reported once for all hosts.
  if (report.code === 'proxy-failed') return [];
  const code = firstCode(error);
  // In TLS 1.3, a server notices a missing certificate only after the connection was made, and then closes it.
  const mayAskForOwn = report.code === 'connection-lost' && probe.origin.startsWith('https:');
  const isTls = code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS');
  return [
    {
      severity: 'error',
      subject,
      what: toFact(report),
      remedy:
        (mayAskForOwn ? ownCertificate : remedies[code]) ??
        (isTls ? remedies.EPROTO : undefined) ??
        'Check the address, and that this machine can reach it.',
    },
  ];
};

const silent = (probe: OriginProbe): Finding => ({
  severity: 'warning',
  subject: `${probe.host} (${names(probe)})`,
  what: `The host ${probe.host} accepts connections, but did not answer a request in time.`,
  remedy: 'Check that service, or allow more time: --timeout-ms.',
});

const redirected = (probe: OriginProbe, status: number, location: string): readonly Finding[] => {
  const to = URL.parse(location, probe.origin);
  // Web servers often redirect their root to a path of the same origin.
  if (to === null || to.origin === probe.origin) return [];
  return [
    {
      severity: 'warning',
      subject: `${probe.host} (${names(probe)})`,
      what: `The host ${probe.host} answers with a redirect to ${to.origin} (${status}), which the gateway does not follow: a credential is sent only to its own host.`,
      remedy: `Name the address that it redirects to as "custom_host": ${to.origin}`,
    },
  ];
};

const originFindings = (probe: OriginProbe): readonly Finding[] => {
  const { answer } = probe;
  if (answer.kind === 'silent') return [silent(probe)];
  if (answer.kind === 'failed') return failed(probe, answer.error);
  const location = headerValue(answer.headers, 'location');
  return answer.status >= 300 && answer.status < 400 && location !== undefined
    ? redirected(probe, answer.status, location)
    : [];
};

export const hosts: Check = {
  id: 'hosts',
  description:
    'the hosts of providers: names that do not resolve, addresses that the gateway refuses to call, refused connections, certificates, redirects',
  needsNetwork: true,
  run: async (setUp) => (await setUp.probes().catch(() => [])).flatMap(originFindings),
};
