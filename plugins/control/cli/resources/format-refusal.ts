import { type ApiRefusal, RefusalError } from '../client/ask-gateway.ts';
import type { GatewayAccess } from '../client/gateway-access.ts';
import type { ControlServices, ExitCode } from '../command-line/services.ts';
import { asCommands } from './commands-in-hints.ts';
import { type BodyOrigin, formatProblems } from './format-problems.ts';
import { printable } from './texts.ts';

/** Replaces the advice on naming a workspace: here a flag or a profile names it. */
const withWorkspaceFlag = (message: string): string =>
  message
    .replace(' that x-gw-workspace names', '')
    .replace(/\b([Oo])mit the header\b/, '$1mit --workspace, or "workspace" in the profile');

/** Removes the advice on which header to send, because users of commands send none. */
const withoutHeader = (message: string): string => message.replace(/ Send [^.]*(?:x-gw-api-key|key)\b.*$/s, '');

const keyHint = ({ key }: GatewayAccess): string =>
  key === undefined
    ? 'Set GW_API_KEY, or name a profile with --profile.'
    : 'It may have expired or been revoked. Correct GW_API_KEY, or name a profile with --profile.';

/** Describes a refusal, and what to do, in sentences. */
export const describeRefusal = ({ status, message }: ApiRefusal, access: GatewayAccess, file?: string): string => {
  const text = printable(message);
  return status === 401 ? `${withoutHeader(text)} ${keyHint(access)}` : asCommands(withWorkspaceFlag(text), file);
};

/** Prints a refusal, and returns the exit code. Throws any other error. */
export const reportRefusal = (
  error: unknown,
  { access, origin }: { readonly access: GatewayAccess; readonly origin: BodyOrigin },
  services: Pick<ControlServices, 'render' | 'err'>,
): ExitCode => {
  if (!(error instanceof RefusalError)) throw error;
  const { problems } = error.refusal;
  services.err.write(
    problems.length > 0
      ? formatProblems(problems, origin, services)
      : `gw: ${describeRefusal(error.refusal, access, origin.again)}\n`,
  );
  return 1;
};
