import { keyFailure } from '../../../schema/plan/circuits/key-cooling.ts';
import type { Target } from '../../../schema/plan/plan.ts';
import type { TrailEventOf } from '../../../schema/trail/trail.ts';
import type { Exchange } from '../../sdk/exchange/exchange.ts';
import { findTargetWithOwnCredential } from '../../sdk/exchange/own-credential.ts';
import { servedNames } from '../../sdk/exchange/served-names.ts';
import type { Occurrence } from '../messages/alert.ts';
import { plainName, shownName } from './shown-name.ts';
import { ofWorkspace, toOwner } from './subject.ts';
import type { TargetChange } from './target-alerts.ts';

type Attempted = Pick<TrailEventOf<'attempted'>, 'target' | 'status' | 'origin' | 'key'>;
type Asked = Pick<Exchange, 'plan' | 'principal'>;

/** The maximum number of credentials whose refusals are remembered. */
const maxRefused = 1000;

/** How often a credential that is still refused is reported, in milliseconds. */
const againMs = 60_000;

/**
 * A provider also answers 403 if a credential may not use one model. This many consecutive ones concern the credential itself.
 */
const enoughForbidden = 3;

interface Refusals {
  /** The number of consecutive refusals. */
  count: number;
  /** When it was last reported, in milliseconds of the monotonic clock. Undefined before that. */
  reportedAt: number | undefined;
}

const isSpent = (status: number): boolean => status === 402;

const actions = {
  spent: 'Add credit to the account of this credential, or replace it.',
  refused: 'Create a new credential at the provider, and save it instead of this one. gw doctor tries what is saved.',
} as const;

/**
 * Reports credentials of the gateway that providers refuse, and when they are accepted again. Credentials of callers concern only
 * the callers.
 */
export class CredentialChanges {
  readonly #source: string;
  readonly #now: () => number;
  readonly #toNames = servedNames();
  /** By the key of the report. */
  readonly #refused = new Map<string, Refusals>();

  constructor({ source, now }: { readonly source: string; readonly now: () => number }) {
    this.#source = source;
    this.#now = now;
  }

  /** Describes what an attempt reveals about the credential that it used. Undefined if that is nothing new. */
  describe(event: Attempted, exchange: Asked): TargetChange | undefined {
    const { status, origin, target: id } = event;
    const failure = keyFailure(event);
    const isRefused = failure === 'refused' || failure === 'spent';
    const isAccepted = origin === 'upstream' && status < 400;
    if (!isRefused && (!isAccepted || this.#refused.size === 0)) return undefined;
    const target = findTargetWithOwnCredential(exchange.plan, id);
    if (target === undefined) return undefined;
    const key = this.#keyOf(event, target, exchange);
    if (isRefused) return this.#isReported(key, status) ? this.#toChange(key, event, { target, exchange }) : undefined;
    const refusals = this.#refused.get(key);
    if (refusals === undefined) return undefined;
    this.#refused.delete(key);
    return refusals.reportedAt === undefined
      ? undefined
      : { ...this.#toChange(key, event, { target, exchange }), state: 'closed' };
  }

  #isReported(key: string, status: number): boolean {
    const refusals = this.#refused.get(key) ?? { count: 0, reportedAt: undefined };
    this.#refused.delete(key);
    const [oldest] = this.#refused.keys();
    if (this.#refused.size >= maxRefused && oldest !== undefined) this.#refused.delete(oldest);
    this.#refused.set(key, refusals);
    refusals.count += 1;
    if (status === 403 && refusals.count < enoughForbidden) return false;
    const now = this.#now();
    if (refusals.reportedAt !== undefined && now - refusals.reportedAt < againMs) return false;
    refusals.reportedAt = now;
    return true;
  }

  /** All configs share the credential of a saved provider. */
  #keyOf({ key }: Attempted, { id, from }: Target, exchange: Asked): string {
    const { tenant } = toOwner(exchange);
    const place = from.kind === 'saved' ? `@${from.slug}` : `${this.#toNames(exchange.plan).plan} ${id}`;
    return `credential.refused ${this.#source} ${tenant} ${place} ${key ?? ''}`.trimEnd();
  }

  #toChange(
    occurrenceKey: string,
    { status, key }: Attempted,
    { target: { id, from }, exchange }: { readonly target: Target; readonly exchange: Asked },
  ): TargetChange {
    const whose = toOwner(exchange);
    const names = this.#toNames(exchange.plan);
    const { provider } = names.target(id);
    const slug = from.kind === 'saved' ? `@${from.slug}` : undefined;
    const several = key === undefined ? '' : `, key ${key}`;
    const place =
      slug === undefined
        ? `target ${shownName(id)} in config ${shownName(names.plan)}`
        : `the saved provider ${shownName(slug)}`;
    const subject = `The credential of ${place}${several}${ofWorkspace(whose)}`;
    const fact = isSpent(status) ? 'is out of credit' : 'is refused';
    const occurrence: Occurrence = {
      kind: 'credential.refused',
      key: occurrenceKey,
      state: 'open',
      severity: 'critical',
      title: `${subject} ${fact}: ${provider} answers ${status}.`,
      action: isSpent(status) ? actions.spent : actions.refused,
      ...whose,
      details: {
        ...{ config: plainName(names.plan), target: plainName(names.target(id).target), provider: plainName(provider) },
        ...(slug === undefined ? {} : { saved: plainName(slug) }),
        ...(key === undefined ? {} : { key }),
        status,
      },
    };
    const hash = slug === undefined ? (exchange.plan?.routing.hash ?? '') : '';
    return { state: 'still-open', occurrence, ending: { subject, closed: 'is accepted again' }, hash };
  }
}
