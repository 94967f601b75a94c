import type { ApiRefusal } from '../client/api-refusal.ts';
import type { GatewayAccess } from '../client/gateway-access.ts';
import type { ControlServices } from '../services.ts';
import { printable } from '../show/printable.ts';
import { asCommands } from './as-commands.ts';
import { type BodyOrigin, toldProblems } from './told-problems.ts';

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

/** A refusal for people; it ends with a line break. */
export const toldRefusal = (
  { status, message, problems }: ApiRefusal,
  { access, origin }: Refused,
  services: Pick<ControlServices, 'render' | 'err'>,
): string => {
  if (problems.length > 0) return toldProblems(problems, origin, services);
  const told = printable(message);
  return status === 401 ? `gw: ${withoutHeader(told)} ${keyHint(access)}\n` : `gw: ${asCommands(told)}\n`;
};
