/** Requests whose service key is missing, wrong or cannot be checked. */
export const keyErrors = {
  'missing-service-key': {
    status: 401,
    type: 'authentication_error',
    fault: 'caller',
    curable: false,
    text: 'This gateway requires a service key.',
    hint: 'Send it in the header x-gw-api-key.',
  },
  'wrong-service-key': {
    status: 401,
    type: 'authentication_error',
    fault: 'caller',
    curable: false,
    text: 'The service key of this request is not valid.',
    hint: 'Send a key that the gateway file lists under auth.keys, or one made on the gateway that is neither expired nor revoked, in the header x-gw-api-key.',
  },
  'identity-unavailable': {
    status: 503,
    type: 'gateway_error',
    fault: 'operator',
    curable: false,
    retryAfterS: 1,
    text: 'The gateway cannot check the service key of this request at the moment.',
    hint: 'Try again after the time in retry-after.',
  },
} as const;
