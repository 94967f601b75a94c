/** Hosts that the gateway may not call. */
export const hostErrors = {
  'credential-origin-mismatch': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: false,
    text: 'The saved credential of the target "{target}" ({path}) cannot be sent to {host}, which {chooser} chose.',
    hint: 'Send your own credential with that host, or leave the host out.',
  },
  'host-not-allowed': {
    status: 400,
    type: 'invalid_request_error',
    fault: 'caller',
    curable: true,
    text: 'This gateway may not call the host {host}: {reason}',
    hint: '{suggestion}',
    about: 'the host {host}',
  },
  'address-not-allowed': {
    status: 502,
    type: 'network_error',
    fault: 'operator',
    curable: true,
    text: 'The host {host} resolves to {address}, which this gateway may not call.',
    hint: 'The operator can list the host in GW_TRUSTED_HOSTS or under trusted_hosts.',
    about: 'the host {host}',
  },
} as const;
