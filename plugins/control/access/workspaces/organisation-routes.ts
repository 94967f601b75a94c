import { isJsonObject } from '../../../../schema/json/json.ts';
import { toSentence } from '../../../../schema/text/to-sentence.ts';
import type { Principal } from '../../../sdk/exchange/exchange.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { defineRoute } from '../../../sdk/route/define-route.ts';
import { newNameErrors } from '../../kernel/records/name-errors.ts';
import { showRow } from '../../kernel/records/show-rows.ts';
import { readableSettings, storedSettings } from '../../kernel/records/stored-settings.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { hostHint } from '../../kernel/requests/host-hint.ts';
import {
  etagSchema,
  ifMatchSchema,
  type Precondition,
  readIfMatch,
  refuseChanged,
  withEtag,
} from '../../kernel/requests/precondition.ts';
import { type Problem, problem } from '../../kernel/requests/problem.ts';
import { conflict, refuse, refuseForbidden, rejectNulCharacters } from '../../kernel/requests/refusals.ts';
import { objectSchema, text, titled } from '../../kernel/requests/replies.ts';
import { type RequestScope, resolveWorkspace } from '../../kernel/requests/request-scope.ts';
import { scopes } from '../../kernel/requests/scopes.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import { onlyOrganisation } from '../../kernel/resource/ownership.ts';
import type { OrganisationRow } from '../../kernel/store/tables.ts';
import {
  grantableScopes,
  type JwtSettings,
  type ReadJwtSettings,
  readJwtSettings,
} from '../identity/jwt/read-jwt-settings.ts';
import {
  changedSettings,
  changeOrganisation,
  otherJwtSettings,
  readOrganisation,
  type SettingsChange,
  settingsErrors,
  validateDefaults,
} from './settings-change.ts';
import { sharedSettings } from './workspaces.ts';

/** The parts that the routes of organisations need. */
export type OrganisationParts = Pick<
  ControlParts,
  'store' | 'now' | 'overlay' | 'trustedHosts' | 'compile' | 'toSavedGuardrails' | 'findHostError'
>;

const toView = ({ id, name, settings, created_at, updated_at }: OrganisationRow): object => ({
  object: 'organisation',
  id,
  name,
  settings: changedSettings(storedSettings('organisation', { id, settings }), {}),
  created_at: new Date(created_at).toISOString(),
  last_updated_at: new Date(updated_at).toISOString(),
});

const known: ReadonlySet<string> = new Set(scopes);

/**
 * Finds the problems of settings for tokens. Otherwise, a JWKS on a host that may not be called would be noticed only with the
 * first token.
 */
const jwtProblems = (read: ReadJwtSettings, findHostError: ControlParts['findHostError']): readonly Problem[] => {
  if ('problems' in read)
    return read.problems.map((each) => ({ ...each, pointer: `/settings/jwt${each.pointer}` as Problem['pointer'] }));
  const { origin } = new URL(read.settings.jwksUrl);
  const error = findHostError(origin);
  if (error === undefined) return [];
  return [
    problem(
      ['settings', 'jwt', 'jwks_url'],
      `This host cannot be called: ${toSentence(error.reason)}`,
      hostHint(error, origin, 'Write the URL of a public host.'),
    ),
  ];
};

/** Throws the `GatewayError` `forbidden` if tokens could get scopes that the caller that saves the settings lacks. */
const checkGrants = (settings: JwtSettings, { scopes: held }: Principal): void => {
  const own: ReadonlySet<string> = held ?? new Set();
  const lacking = [...grantableScopes(settings)].filter((scope) => !own.has(scope));
  refuseForbidden(
    lacking.map((scope) =>
      problem(
        ['settings', 'jwt'],
        `Tokens would have the scope ${scope}, which your own key does not have.`,
        'Leave the scope out, or use a key that has it.',
      ),
    ),
  );
};

/** Whether stored settings accept the same tokens. Settings that cannot be read accept none. */
const accepts = (text: string, { issuer, audiences }: JwtSettings): boolean => {
  const { jwt = null } = readableSettings(text) ?? {};
  return (
    isJsonObject(jwt) &&
    jwt.issuer === issuer &&
    [jwt.audience].flat().some((each) => typeof each === 'string' && audiences.includes(each))
  );
};

/** Changes an organisation. Throws the `GatewayError`s `forbidden`, `invalid-input` and `conflict`. */
const updateOrganisation = async (
  parts: OrganisationParts,
  { organisation, tenant }: RequestScope,
  {
    caller,
    body: { name, settings = {} },
    precondition,
  }: {
    readonly caller: Principal;
    readonly body: { readonly name?: string; readonly settings?: SettingsChange };
    readonly precondition: Precondition;
  },
): Promise<OrganisationRow> => {
  onlyOrganisation(caller, 'change the organisation');
  const { store, now, overlay, trustedHosts = [], findHostError } = parts;
  const { jwt = null } = settings;
  const read = jwt === null ? undefined : readJwtSettings(jwt, { scopes: known, trustedHosts });
  const place = { overlay, organisation, workspace: tenant, ofWorkspace: false };
  const unusable = await validateDefaults(parts, place, settings);
  return await store.write(async (writing) => {
    const before = await readOrganisation(writing, organisation);
    refuseChanged(before, { precondition, what: 'organisation', name: before.name });
    refuse([
      ...newNameErrors({ name }),
      ...(await settingsErrors(writing, place, settings)),
      ...unusable,
      ...(read === undefined ? [] : jwtProblems(read, findHostError)),
    ]);
    if (read !== undefined && 'settings' in read) {
      checkGrants(read.settings, caller);
      const others = await otherJwtSettings(writing, organisation);
      if (others.some((text) => accepts(text, read.settings)))
        throw conflict(
          'Another organisation accepts tokens of this issuer for one of these audiences.',
          'Have the identity provider issue tokens with an audience of your own.',
        );
    }
    const after = JSON.stringify(changedSettings(storedSettings('organisation', before), settings));
    const change = { ...(name !== undefined && { name }), settings: after, now: now() };
    await changeOrganisation(store, writing, { id: organisation, change });
    await store.bump(writing, 'plans', organisation);
    return await readOrganisation(writing, organisation);
  });
};

const settings = {
  type: 'object',
  description:
    'Settings for requests of the organisation, unless its workspaces specify them. Absent members stay as they are.',
  properties: {
    ...sharedSettings,
    cache_max_age: {
      description:
        'How many seconds caches keep answers if their config has no `max_age`, and the maximum if it has a larger one. If absent: 604800 (seven days), and no maximum.',
      anyOf: [{ type: 'integer', minimum: 60, maximum: 25_923_000 }, { type: 'null' }],
    },
    jwt: {
      description: 'How tokens of the identity provider are verified.',
      anyOf: [{ type: 'object', additionalProperties: true }, { type: 'null' }],
    },
  },
} as const;

const time: ParameterSchema = { type: 'string', format: 'date-time' };

const organisation = titled(
  'Organisation',
  objectSchema({
    object: { const: 'organisation' },
    ...{ id: text, name: text },
    settings,
    created_at: time,
    last_updated_at: { ...time, description: 'When it or one of its workspaces last changed.' },
  }),
);

/** The routes of the caller's own organisation. */
export const organisationRoutes = (parts: OrganisationParts): readonly ControlRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/organisation',
    operationId: 'get_organisation',
    summary: 'Returns your organisation.',
    scope: 'organisation.read',
    replies: { 200: organisation },
    replyHeaders: etagSchema,
    handle: async (_, context) => {
      const { organisation } = resolveWorkspace(context, 'organisation.read');
      const row = await readOrganisation(parts.store.db, organisation);
      return withEtag(row, showRow('organisation', row, toView));
    },
  }),
  defineRoute({
    method: 'PUT',
    path: '/organisation',
    operationId: 'update_organisation',
    summary: 'Changes your organisation. Absent members stay as they are; null removes a value.',
    scope: 'organisation.update',
    headers: ifMatchSchema,
    body: { type: 'object', properties: { name: text, settings } },
    replies: { 200: organisation },
    replyHeaders: etagSchema,
    handle: async ({ body }, context) => {
      rejectNulCharacters(body);
      const requestScope = resolveWorkspace(context, 'organisation.update');
      const change = { caller: context.principal, body, precondition: readIfMatch(context.headers) };
      const row = await updateOrganisation(parts, requestScope, change);
      return withEtag(row, toView(row));
    },
  }),
];
