import { type CommandFailure, failed } from '../command-line/command-failure.ts';

const findCode = (error: unknown): string | undefined => {
  for (let at = error; at instanceof Error; at = at.cause)
    if ('code' in at && typeof at.code === 'string') return at.code;
  return undefined;
};

const reasons: { readonly [code: string]: (origin: string) => readonly [fact: string, hint: string] } = {
  ECONNREFUSED: (origin) => [`Nothing listens at ${origin}.`, 'Start the gateway, or name it with --url or GW_URL.'],
  ENOTFOUND: (origin) => [`The host of ${origin} does not resolve.`, 'Correct --url or GW_URL.'],
  ERR_SSL_WRONG_VERSION_NUMBER: (origin) => [
    `${origin} does not speak TLS.`,
    'Write http:// instead of https:// in --url or GW_URL, if that is meant.',
  ],
  EAI_AGAIN: (origin) => [`The host of ${origin} cannot be resolved now.`, 'Check the network, and try again.'],
};

/** What `fetch` says of a port that it never asks, such as 1. */
const isBadPort = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof Error && error.cause.message === 'bad port';

const isOfCertificate = (code: string): boolean => /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/.test(code);

/** Why a gateway could not be asked, in a sentence for people. */
export const networkFault = (
  error: unknown,
  { origin, silentMs }: { readonly origin: string; readonly silentMs: number },
): CommandFailure => {
  if (error instanceof Error && error.name === 'TimeoutError')
    return failed(`${origin} has not answered within ${silentMs / 1000} seconds.`, 'Try again, or look at its log.');
  if (isBadPort(error)) return failed(`No client asks the port of ${origin}.`, 'Correct --url or GW_URL.');
  const code = findCode(error) ?? 'no code';
  const reason = reasons[code];
  if (reason !== undefined) return failed(...reason(origin));
  if (isOfCertificate(code))
    return failed(
      `The certificate of ${origin} cannot be trusted (${code}).`,
      'Name its authority with NODE_EXTRA_CA_CERTS, or correct --url or GW_URL.',
    );
  return failed(`The connection to ${origin} failed (${code}).`, 'Check --url or GW_URL, and try again.');
};
