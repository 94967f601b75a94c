import type { Clock } from '../../../sdk/clock.ts';
import type { Identities } from '../../../sdk/control-plane/identities.ts';
import type { Principal } from '../../../sdk/exchange/exchange.ts';
import type { CheckHttp } from '../../../sdk/guardrail/guardrail.ts';
import { scopes } from '../../kernel/requests/scopes.ts';
import { inTime } from '../../kernel/store/in-time.ts';
import type { Store } from '../../kernel/store/store.ts';
import { createIdentity, type IdentityOptions, type IdentityStatus } from '../keys/create-identity.ts';
import { keyReader } from '../keys/key-principal.ts';
import { keyHash, parseKeyText } from '../keys/key-text.ts';
import { createLookUps } from '../keys/look-ups.ts';
import { followPlaces, placeCallers, placeReader } from './follow-places.ts';
import { followSessions, type KnownSession, sessionHash, sessionReader } from './follow-sessions.ts';
import { createJwtIdentity, createTokenReports, looksLikeJwt } from './jwt/jwt-identity.ts';
import { createPrincipalNow, type PrincipalNow } from './principal-now.ts';

export interface ControlIdentitiesOptions extends Pick<IdentityOptions, 'staleAuthMs' | 'pollMs' | 'say' | 'report'> {
  readonly store: Pick<Store, 'db' | 'versions' | 'watch'>;
  readonly clock: Clock;
  /** Fetches the keys of identity providers. */
  readonly http: Pick<CheckHttp, 'send'>;
  /** The hosts from which these keys may be fetched without TLS. */
  readonly trustedHosts?: readonly string[];
}

/** Identifies callers by the service keys of a store and by the tokens that its organisations accept. */
export interface ControlIdentities extends Required<Identities> {
  status(): IdentityStatus;
  /** Finds the holder of a service key with which a session may begin: the key is valid and was not rotated. */
  identifyForSession(presented: string): Promise<Principal | undefined>;
  /** Finds the current principal of a caller that made an earlier request. */
  readonly principalNow: PrincipalNow;
  /** Reads the state of the store, and follows it from then on. Rejects, and follows nothing, if the store is unavailable. */
  start(): Promise<void>;
  /** Reads what has changed until now. If the store cannot be read, that happens later. */
  lookNow(): Promise<void>;
  /** Stops following. */
  close(): void;
}

type Found = Principal | undefined;

const then = <Value>(value: Value | Promise<Value>, use: (value: Value) => Found): Found | Promise<Found> =>
  value instanceof Promise ? value.then(use) : use(value);

/** Identifies callers by the state of a store, which it follows in memory. Known callers are identified without a query. */
export const createControlIdentities = (options: ControlIdentitiesOptions): ControlIdentities => {
  const { store, clock, http, trustedHosts = [], staleAuthMs, pollMs, say, report } = options;
  const read = placeReader(store);
  const places = followPlaces({
    read: {
      organisations: (after, limit) => inTime(clock, 'its organisations', read.organisations(after, limit)),
      workspaces: (organisations) => inTime(clock, 'its workspaces', read.workspaces(organisations)),
    },
    rules: { scopes: new Set(scopes), trustedHosts },
  });
  const storedSessions = sessionReader(store);
  const sessions = followSessions(
    (after, limit, now) => inTime(clock, 'its sessions', storedSessions.changes(after, limit, now)),
    clock,
  );
  const keys = createIdentity({
    read: keyReader(store),
    places: {
      refresh: async (version, all) => {
        await sessions.refresh(version, all);
        return places.refresh(version, all);
      },
    },
    versions: () => store.versions(),
    watch: (run) => store.watch(run),
    clock,
    staleAuthMs,
    pollMs,
    say,
    report,
  });
  const reports = createTokenReports({ clock, say });
  const tokens = createJwtIdentity({
    organisations: places,
    // The id of a workspace is the tenant of the requests in it.
    workspaces: {
      find: (organisation, name) => places.find(organisation, name)?.id as string as Principal['tenant'] | undefined,
    },
    http,
    clock,
    onRefused: reports.keep,
    onUnavailable: reports.unavailable,
  });
  const callers = placeCallers(places);
  const place = (caller: Found): Found => caller && callers.place(caller);

  const ofSession = (session: KnownSession | undefined): Found | Promise<Found> =>
    session === undefined ? undefined : then<Found>(keys.identifyHash(session.keyHash), place);
  /** A session that another process has just begun is not followed yet. */
  const lookUpSession = createLookUps({
    clock,
    ask: async (hash) => sessions.add(await inTime(clock, 'its sessions', storedSessions.byHash(hash))),
  });

  return {
    identifySession(token) {
      const hash = sessionHash(token);
      const known = sessions.find(hash);
      if (known !== undefined || keys.isStale()) return ofSession(known);
      return lookUpSession(hash)?.then(ofSession);
    },
    async identifyForSession(presented) {
      const found = await keys.identify(presented);
      return found === undefined ? undefined : then<Found>(keys.identifyHash(keyHash(presented)), place);
    },
    identify(presented) {
      if (!looksLikeJwt(presented)) return then<Found>(keys.identify(presented), place);
      return keys.isStale() ? undefined : then(tokens(presented), place);
    },
    findWorkspace: (caller, name) => callers.findWorkspace(caller, name),
    onRevoked: (run) => keys.onRevoked(run),
    noteRefused: (presented) => {
      if (looksLikeJwt(presented)) reports.refused(presented);
    },
    findKeyId: (presented) => parseKeyText(presented)?.id,
    confirmedAt: () => keys.status().confirmedAt,
    principalNow: createPrincipalNow({ store, callers, clock }),
    status: () => keys.status(),
    start: () => keys.start(),
    lookNow: () => keys.lookNow(),
    close: () => keys.close(),
  };
};
