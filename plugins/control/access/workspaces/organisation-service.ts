import { isJsonObject, isNonEmpty, type JsonObject } from '../../../../schema/json/json.ts';
import { toSentence } from '../../../../schema/text/to-sentence.ts';
import type { Principal } from '../../../sdk/exchange/exchange.ts';
import { hostHint } from '../../kernel/requests/host-hint.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import { conflict, forbidden, refuse } from '../../kernel/requests/refusals.ts';
import type { RequestScope } from '../../kernel/requests/request-scope.ts';
import { scopes } from '../../kernel/requests/scopes.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import { onlyOrganisation } from '../../kernel/resource/ownership.ts';
import type { OrganisationRow } from '../../kernel/store/tables/tables.ts';
import { grantableScopes, type JwtSettings } from '../identity/jwt/settings/jwt-settings.ts';
import { type ReadJwtSettings, readJwtSettings } from '../identity/jwt/settings/read-jwt-settings.ts';
import { storedSettings } from '../identity/places/stored-settings.ts';
import { nameFaults } from '../keys/key-parts.ts';
import { changeOrganisation, otherJwtSettings, readOrganisation } from './organisation-store.ts';
import { changedSettings, type SettingsChange, settingsFaults } from './settings-change.ts';
import { settingsFacts } from './settings-facts.ts';
import { validateDefaults } from './validate-defaults.ts';

/** What changes of an organisation: what is absent stays. */
export interface OrganisationBody {
  readonly name?: string;
  readonly settings?: SettingsChange;
}

/** An organisation as it is shown. Times are of RFC 3339. */
export interface OrganisationView {
  readonly object: 'organisation';
  readonly id: string;
  readonly name: string;
  readonly settings: JsonObject;
  readonly created_at: string;
  /** When it last changed, or a workspace of it did. */
  readonly last_updated_at: string;
}

type PlaceParts = Pick<ControlParts, 'store' | 'now' | 'overlay' | 'trustedHosts' | 'compile' | 'toSavedGuardrails'>;

export type OrganisationParts = PlaceParts & Pick<ControlParts, 'hostFault'>;

export interface OrganisationService {
  get(requestScope: RequestScope): Promise<OrganisationView>;
  /** Throws the `GatewayError`s `forbidden`, `invalid-input` and `conflict`. */
  update(requestScope: RequestScope, caller: Principal, body: OrganisationBody): Promise<OrganisationView>;
}

const toTime = (ms: number): string => new Date(ms).toISOString();

const toView = ({ id, name, settings, created_at, updated_at }: OrganisationRow): OrganisationView => ({
  object: 'organisation',
  id,
  name,
  settings: changedSettings(storedSettings(settings), {}),
  created_at: toTime(created_at),
  last_updated_at: toTime(updated_at),
});

/** Keys of a host that may not be called would be found out by the first token only. */
const jwksHostProblems = (read: ReadJwtSettings, hostFault: ControlParts['hostFault']): readonly Problem[] => {
  if (!('settings' in read)) return [];
  const { origin } = new URL(read.settings.jwksUrl);
  const fault = hostFault(origin);
  if (fault === undefined) return [];
  return [
    problem(
      ['settings', 'jwt', 'jwks_url'],
      `This host cannot be called: ${toSentence(fault.reason)}`,
      hostHint(fault, origin, 'Write the URL of a public host.'),
    ),
  ];
};

const known: ReadonlySet<string> = new Set(scopes);

const jwtProblems = (read: ReadJwtSettings): readonly Problem[] =>
  'problems' in read
    ? read.problems.map(({ pointer, ...rest }) => ({
        pointer: `/settings/jwt${pointer}` as Problem['pointer'],
        ...rest,
      }))
    : [];

/** Throws the `GatewayError` `forbidden` if tokens would have scopes that whoever saves the settings lacks. */
const checkGrants = (settings: JwtSettings, { scopes: held }: Principal): void => {
  const own: ReadonlySet<string> = held ?? new Set();
  const lacking = [...grantableScopes(settings)].filter((scope) => !own.has(scope));
  const problems = lacking.map((scope) =>
    problem(
      ['settings', 'jwt'],
      `Tokens would have the scope ${scope}, which your own key does not have.`,
      'Leave the scope out, or use a key that has it.',
    ),
  );
  if (isNonEmpty(problems)) throw forbidden(problems);
};

const accepts = (text: string, { issuer, audiences }: JwtSettings): boolean => {
  const { jwt = null } = storedSettings(text);
  return (
    isJsonObject(jwt) &&
    jwt.issuer === issuer &&
    [jwt.audience].flat().some((each) => typeof each === 'string' && audiences.includes(each))
  );
};

const sharedIssuer = (): Error =>
  conflict(
    'Another organisation accepts tokens of this issuer for one of these audiences.',
    'Have the identity provider issue tokens with an audience of your own.',
  );

export const createOrganisationService = (parts: OrganisationParts): OrganisationService => {
  const { store, now, overlay, trustedHosts = [], hostFault } = parts;
  return {
    get: async ({ organisation }) => toView(await readOrganisation(store.db, organisation)),

    async update({ organisation, tenant }, caller, { name, settings = {} }) {
      onlyOrganisation(caller, 'change the organisation');
      const { jwt } = settings;
      const read =
        jwt === undefined || jwt === null ? undefined : readJwtSettings(jwt, { scopes: known, trustedHosts });
      const place = { overlay, organisation, workspace: tenant, ofWorkspace: false };
      const unusable = await validateDefaults(parts, place, settings);
      return await store.write(async (writing) => {
        const problems = [
          ...(name === undefined ? [] : nameFaults(['name'], name)),
          ...(await settingsFaults(settings, settingsFacts(writing, place))),
          ...unusable,
          ...(read === undefined ? [] : [...jwtProblems(read), ...jwksHostProblems(read, hostFault)]),
        ];
        refuse(problems);
        if (read !== undefined && 'settings' in read) {
          checkGrants(read.settings, caller);
          const others = await otherJwtSettings(writing, organisation);
          if (others.some((text) => accepts(text, read.settings))) throw sharedIssuer();
        }
        const before = await readOrganisation(writing, organisation);
        const after = changedSettings(storedSettings(before.settings), settings);
        const change = { ...(name !== undefined && { name }), settings: JSON.stringify(after), now: now() };
        await changeOrganisation(store, writing, { id: organisation, change });
        await store.bump(writing, 'plans', organisation);
        return toView(await readOrganisation(writing, organisation));
      });
    },
  };
};
