import { divertingSettings } from '../../plugins/sdk/provider/diverting-settings.ts';
import type { Provider } from '../../plugins/sdk/provider/provider.ts';
import type { SecretOwner } from '../../schema/config/trust.ts';
import { gatewayError } from '../../schema/errors/errors.ts';
import { rootPointer, toOptionPath } from '../../schema/json/pointer.ts';
import type { Target } from '../../schema/plan/plan.ts';
import { credentialSecrets } from '../../schema/plan/plan.ts';
import { secretOwner } from '../engine/target/secret-owner.ts';

/** The target of a saved config without a provider, and the target of the saved provider that a request adds to it. */
export interface GivenTarget {
  readonly open: Target;
  /** The owner of the text that contains the open target. */
  readonly origin: SecretOwner;
  /** The name of its config. */
  readonly config: string;
  readonly given: Target;
  /** The provider of `given`. */
  readonly provider: Provider | undefined;
}

/** Whether a target is called without anybody's credential, settings or TLS. */
const isBare = ({ credential, settings, tls }: Target, provider: Provider | undefined): boolean =>
  credential === null && tls === undefined && provider?.usesMachineIdentity?.(settings) !== true;

const isOperators = ({ credential }: Target): boolean =>
  credential?.kind !== 'request' && credentialSecrets(credential).every((secret) => secretOwner(secret) === 'file');

/**
 * Finds anything that would send the given credential elsewhere than its owner chose, or send something else with it, and what to
 * do.
 */
const findDiversion = ({
  open,
  given,
  provider,
}: GivenTarget): readonly [what: string, suggestion: string] | undefined => {
  const { upstream, headers, settings } = open;
  if (upstream.kind === 'custom')
    return [new URL(upstream.baseUrl).host, 'Send your own credential with that host, or omit the host.'];
  if (headers.forward.length > 0)
    return ['a provider together with forward_headers', 'Send your own credential, or remove forward_headers from it.'];
  const [field] = provider === undefined ? [] : divertingSettings(provider, given.settings, settings);
  return field === undefined
    ? undefined
    : [`the address of its "${field}"`, `Send your own credential, or remove "${field}" from it.`];
};

/**
 * Checks that only the operator's own config chooses where a saved credential from the request is sent, and only with the
 * operator's own credential. The compiler applies the same rule to configs that name their provider. Throws the `GatewayError`
 * `credential-origin-mismatch`.
 */
export const refuseDiversion = (target: GivenTarget): void => {
  const { given, origin, config, provider } = target;
  if (isBare(given, provider) || (origin === 'file' && isOperators(given))) return;
  const found = findDiversion(target);
  if (found === undefined) return;
  const [host, suggestion] = found;
  const chooser = `the config "${config}"`;
  throw gatewayError('credential-origin-mismatch', {
    target: given.id,
    path: toOptionPath(rootPointer),
    host,
    chooser,
    suggestion,
  });
};
