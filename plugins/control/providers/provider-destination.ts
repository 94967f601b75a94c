import { invalidInput } from '../../../schema/invalid-input.ts';
import type { ControlParts } from '../control-parts.ts';
import { type Problem, problem } from '../keys/problem.ts';
import { refuse } from '../saved/refusals.ts';
import type { RequestScope } from '../saved/request-scope.ts';
import type { ProviderRow } from '../store/tables.ts';
import type { DestinationBody } from './destination-body.ts';
import type { NewProviderBody, ProviderUpdateBody } from './provider-bodies.ts';
import { memberProblems } from './record-members.ts';
import { sealDestination } from './seal-destination.ts';
import { noIntegration, usableIntegration } from './usable-integration.ts';
import type { StoredDestination } from './validate-record.ts';

/** The columns of a provider or virtual key that say what it calls. */
type Called = StoredDestination & Pick<ProviderRow, 'integration_id'>;

const ownMembers = ['provider', 'settings', 'credential', 'key'] as const;

/** What an integration says instead. */
const integrationProblems = (body: DestinationBody): readonly Problem[] =>
  ownMembers
    .filter((member) => body[member] !== undefined)
    .map((member) =>
      problem([member], 'A provider of an integration takes this from the integration.', 'Leave it out.'),
    );

/** The columns of a provider that calls what its integration says. */
const ofIntegration = { settings: '{}', credential: null, origins: '[]' } as const;

type Parts = Pick<ControlParts, 'store' | 'now' | 'sealer' | 'catalogue' | 'hostFault'>;

/** What a new record calls: its integration, or a provider of its own. Throws the `GatewayError` `invalid-input`. */
export const newDestination = async (
  parts: Parts,
  requestScope: RequestScope,
  { body, id }: { readonly body: NewProviderBody; readonly id: string },
): Promise<Called> => {
  const problems = memberProblems(body, parts.now());
  const owner = { tenant: requestScope.tenant, table: 'providers', id };
  const { integration_id: name } = body;
  if (name === undefined) return { integration_id: null, ...(await sealDestination(parts, { body, owner, problems })) };
  const integration = await usableIntegration(parts.store.db, requestScope, name);
  const found = [...problems, ...integrationProblems(body)];
  if (integration === undefined) throw invalidInput([noIntegration(name), ...found]);
  refuse(found);
  return { integration_id: integration.id, provider: integration.provider, ...ofIntegration };
};

/** What changes of what a record calls: nothing where that is its integration's. Throws the `GatewayError` `invalid-input`. */
export const changedDestination = async (
  parts: Parts,
  body: ProviderUpdateBody,
  before: ProviderRow,
): Promise<Partial<Called>> => {
  const problems = memberProblems(body, parts.now());
  const owner = { tenant: before.workspace_id, table: 'providers', id: before.id };
  if (before.integration_id === null) return sealDestination(parts, { body, owner, before, problems });
  refuse([...problems, ...integrationProblems(body)]);
  return {};
};
