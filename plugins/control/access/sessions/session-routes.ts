import { randomBytes } from 'node:crypto';
import { sessionCookies } from '../../../../schema/credentials/credential-headers.ts';
import { gatewayError } from '../../../../schema/errors/errors.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { consoleHeader, type SessionPlace } from '../../../sdk/control-plane/session-cookies.ts';
import type { Principal } from '../../../sdk/exchange/exchange.ts';
import { toNetwork } from '../../../sdk/logs/to-network.ts';
import { defineRoute } from '../../../sdk/route/define-route.ts';
import type { JsonReply, RouteContext } from '../../../sdk/route/route-row.ts';
import { allowanceSizes } from '../../kernel/fairness/allowances.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import {
  emptyReply,
  nothingSchema,
  objectSchema,
  ok,
  orNull,
  seconds,
  text,
  textOrNull,
  titled,
} from '../../kernel/requests/replies.ts';
import { toSeconds } from '../../kernel/requests/to-seconds.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import type { Store } from '../../kernel/store/store.ts';
import { sessionHash } from '../identity/follow-sessions.ts';
import type { ControlIdentities } from '../identity/identities.ts';
import { scopesSchema } from '../keys/key-bodies.ts';
import { keyHash } from '../keys/key-text.ts';
import type { SessionAudit } from './audit-sessions.ts';
import { beginSession, endSession, findSession } from './session-store.ts';

/** How long a session lasts, in seconds. */
const lifeS = 43_200;
/** The maximum number of workspaces that a session lists. */
const maxWorkspaces = 1000;
/** The maximum length of a key; longer texts are rejected. */
const longestKey = 512;

/** The parts of the control plane that sessions are built from. */
export interface SessionParts extends Pick<ControlParts, 'store' | 'now' | 'allowances'> {
  readonly sessions: Pick<ControlIdentities, 'identifySession' | 'identifyForSession' | 'lookNow'> & {
    readonly audit: SessionAudit;
  };
}

const principal = titled(
  'SessionPrincipal',
  objectSchema({
    id: { ...text, description: 'The id of the service key that the session was started with.' },
    name: text,
    kind: { type: 'string', enum: ['workspace', 'user', 'organisation'] },
    reach: { type: 'string', enum: ['workspace', 'organisation'], description: 'Where the session may act.' },
    organisation_id: text,
    workspace_id: textOrNull,
  }),
);

const session = titled(
  'Session',
  objectSchema(
    { object: { const: 'session' }, principal: orNull(principal) },
    {
      scopes: scopesSchema,
      workspaces: { type: 'array', items: objectSchema({ id: text, slug: text, name: text }) },
      more_workspaces: { type: 'boolean', description: 'Whether there are workspaces that are not listed.' },
      expires_at: seconds,
    },
  ),
);

const nobody = ok({ object: 'session', principal: null });

const consoleHeaders = {
  type: 'object',
  properties: {
    [consoleHeader]: { type: 'string', description: '`1`. Pages of other sites cannot send this header.' },
  },
} as const;

const setCookie = (place: SessionPlace, token: string, maxAgeS: number): readonly string[] => [
  'set-cookie',
  [
    ...[`${sessionCookies[place]}=${token}`, 'Path=/', `Max-Age=${maxAgeS}`, 'HttpOnly', 'SameSite=Strict'],
    ...(place === 'tls' ? ['Secure'] : []),
  ].join('; '),
];

const listWorkspaces = async ({ db }: Pick<Store, 'db'>, { organisation, workspace, reach }: Principal) => {
  let query = db
    .selectFrom('workspaces')
    .select(['id', 'slug', 'name'])
    .where('organisation_id', '=', organisation ?? '')
    .orderBy('slug')
    .limit(maxWorkspaces + 1);
  if (reach !== 'organisation') query = query.where('id', '=', workspace ?? '');
  const rows = await query.execute();
  return { workspaces: rows.slice(0, maxWorkspaces), more_workspaces: rows.length > maxWorkspaces };
};

/** Returns the session as the console needs it; undefined if the session or its key has ended in the meantime. */
const viewSession = async (
  { store, now }: SessionParts,
  holder: Principal,
  id: string,
): Promise<JsonObject | undefined> => {
  const { keyId = '', organisation = '', workspace = null, reach = 'workspace', scopes = [] } = holder;
  const [row, key, workspaces] = await Promise.all([
    findSession(store.db, id, now()),
    store.db.selectFrom('keys').select(['name', 'kind', 'expires_at']).where('id', '=', keyId).executeTakeFirst(),
    listWorkspaces(store, holder),
  ]);
  if (row === undefined || key === undefined) return undefined;
  return {
    object: 'session',
    principal: {
      ...{ id: keyId, name: key.name, kind: key.kind, reach },
      ...{ organisation_id: organisation, workspace_id: workspace },
    },
    scopes: [...scopes].sort(),
    ...workspaces,
    expires_at: toSeconds(Math.min(row.expires_at, key.expires_at ?? row.expires_at)),
  };
};

const noPlace = {
  fact: 'Signing in here would send your key and the session cookie without TLS.',
  suggestion:
    'Open the console over https, for which the gateway needs "listen.tls", or as localhost: on the machine of the gateway, or through a tunnel to it.',
};

/**
 * Finds the holder of the key that is used to sign in. Each network may present a few keys that are not valid. A key itself is
 * never locked because of attempts by others, so that nobody can lock out its holder elsewhere.
 */
const identifyGuess = async (
  { allowances, sessions }: SessionParts,
  key: string,
  context: RouteContext,
): Promise<Principal & { readonly keyId: string }> => {
  const network = toNetwork(context.clientAddress ?? '');
  if (!(await allowances.take('signIns', network)))
    throw gatewayError('guessed-too-often', { max: allowanceSizes.signIns.max });
  const holder = await sessions.identifyForSession(key).catch(async (error: unknown) => {
    await allowances.giveBack('signIns', network);
    throw error;
  });
  if (holder?.keyId === undefined) {
    sessions.audit.refused(key, context);
    throw gatewayError('wrong-service-key', { place: 'as "key" of the body' });
  }
  await allowances.giveBack('signIns', network);
  return { ...holder, keyId: holder.keyId };
};

const signIn = async (parts: SessionParts, key: string, context: RouteContext): Promise<JsonReply> => {
  const { browser: { place, session: replaced } = {}, now } = context;
  if (place === undefined) throw gatewayError('forbidden', noPlace);
  const holder = await identifyGuess(parts, key, context);
  const token = randomBytes(32).toString('base64url');
  const id = sessionHash(token);
  const at = now();
  await beginSession(parts.store, {
    ...{ id, key_id: holder.keyId, key_hash: keyHash(key) },
    ...{ created_at: at, expires_at: at + lifeS * 1000 },
    replaces: replaced === undefined ? undefined : sessionHash(replaced),
  });
  await parts.sessions.lookNow();
  const view = await viewSession(parts, holder, id);
  if (view === undefined) throw gatewayError('session-ended', {});
  await parts.sessions.audit.signedIn(holder, context);
  return { ...ok(view), headers: setCookie(place, token, lifeS) };
};

/** Creates the routes by which a browser begins a session of the console with a key, reads it and ends it. */
export const sessionRoutes = (parts: SessionParts): readonly ControlRoute[] => {
  const common = {
    path: '/console/session',
    scope: null,
    admits: 'anyone',
    isAtRoot: true,
    headers: consoleHeaders,
  } as const;
  return [
    defineRoute({
      ...common,
      method: 'POST',
      operationId: 'begin_session',
      summary: 'Starts a session of the console with a service key, and sets its cookie.',
      body: {
        type: 'object',
        required: ['key'],
        properties: { key: { type: 'string', maxLength: longestKey, description: 'The service key.' } },
      },
      replies: { 200: session },
      handle: ({ body: { key } }, context) => signIn(parts, key, context),
    }),
    defineRoute({
      ...common,
      method: 'GET',
      operationId: 'get_session',
      summary: 'Returns who is signed in to the console, and what they may do.',
      replies: { 200: session },
      handle: async (_, { browser: { session: token } = {} }) => {
        const holder = token === undefined ? undefined : await parts.sessions.identifySession(token);
        const view =
          token === undefined || holder === undefined
            ? undefined
            : await viewSession(parts, holder, sessionHash(token));
        return view === undefined ? nobody : ok(view);
      },
    }),
    defineRoute({
      ...common,
      method: 'DELETE',
      operationId: 'end_session',
      summary: 'Ends the session of the console, and clears its cookie.',
      replies: { 200: nothingSchema },
      handle: async (_, context) => {
        const { browser: { place, session: token } = {}, now } = context;
        if (token !== undefined) {
          const holder = await parts.sessions.identifySession(token);
          const isEnded = await endSession(parts.store, sessionHash(token), now());
          await parts.sessions.lookNow();
          if (isEnded && holder !== undefined) await parts.sessions.audit.signedOut(holder, context);
        }
        return { ...emptyReply, headers: place === undefined ? [] : setCookie(place, '', 0) };
      },
    }),
  ];
};
