import type { ApiRefusal } from '../client/api-refusal.ts';
import type { GatewayAccess } from '../client/gateway-access.ts';
import type { ControlServices } from '../command-line/services.ts';
import { printable } from '../show/printable.ts';
import { asCommands } from './as-commands.ts';
import { type BodyOrigin, formatProblems } from './format-problems.ts';

export interface Refused {
  readonly access: GatewayAccess;
  readonly origin: BodyOrigin;
}

/** The gateway says which header to send, and who types commands sends none. */
const withoutHeader = (message: string): string => message.replace(/ Send [^.]*(?:x-gw-api-key|key)\b.*$/s, '');

const keyHint = ({ key }: GatewayAccess): string =>
  key === undefined
    ? 'Set GW_API_KEY, or name a profile with --profile.'
    : 'It may have expired or been revoked. Correct GW_API_KEY, or name a profile with --profile.';

/** What a refusal says, and what to do, in sentences. */
export const describeRefusal = ({ status, message }: ApiRefusal, access: GatewayAccess): string => {
  const text = printable(message);
  return status === 401 ? `${withoutHeader(text)} ${keyHint(access)}` : asCommands(text);
};

/** A refusal for people; it ends with a line break. */
export const formatRefusal = (
  refusal: ApiRefusal,
  { access, origin }: Refused,
  services: Pick<ControlServices, 'render' | 'err'>,
): string => {
  const { problems } = refusal;
  return problems.length > 0 ? formatProblems(problems, origin, services) : `gw: ${describeRefusal(refusal, access)}\n`;
};
