import { type GatewayError, gatewayError } from '../../../schema/errors/errors.ts';
import { ownProvider } from '../../../schema/http/own-provider.ts';
import { savedSlug } from '../../../schema/text/slug-model.ts';
import type { CallerHeaders } from './caller-headers.ts';
import type { CheckHeaders } from './read-caller-headers.ts';

interface UnsavedHeader {
  readonly header: string;
  readonly brings: (caller: CallerHeaders) => boolean;
  readonly suggestion: string;
}

/** The headers that can contain something that is not saved. If there are several, the first is reported. */
const unsavedHeaders: readonly UnsavedHeader[] = [
  {
    header: 'x-gw-config',
    brings: ({ bringsConfig }) => bringsConfig,
    suggestion: 'Send the name of a saved config.',
  },
  {
    header: 'x-gw-provider',
    brings: ({ overrides: { provider = ownProvider } }) =>
      provider !== ownProvider && savedSlug(provider) === undefined,
    suggestion: 'Send @ and the slug of a saved provider, or x-gw-virtual-key.',
  },
  {
    header: 'x-gw-custom-host',
    brings: ({ overrides: { customHost } }) => customHost !== undefined,
    suggestion: 'Omit it: a saved provider has its own host.',
  },
  {
    header: 'x-gw-forward-headers',
    brings: ({ overrides: { forwardHeaders = [] } }) => forwardHeaders.length > 0,
    suggestion: 'Omit it: "forward_headers" of a saved config determines what is forwarded.',
  },
];

const findProblem = (caller: CallerHeaders): GatewayError | undefined => {
  const found = unsavedHeaders.find(({ brings }) => brings(caller));
  return found && gatewayError('unsaved-refused', { header: found.header, suggestion: found.suggestion });
};

/** Reads headers like `read`. A header with something that is not saved is a problem. */
export const refuseUnsaved: CheckHeaders = (read) => (raw) => {
  const caller = read(raw);
  caller.problem ??= findProblem(caller);
  return caller;
};
