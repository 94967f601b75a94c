import type { Saved } from '../../../../schema/config/saved.ts';
import { GatewayError } from '../../../../schema/errors/errors.ts';
import { isSuccess } from '../../../../schema/http/status.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import { findObject, findText } from '../../../../schema/json/loose.ts';
import { parseJson, parseObject } from '../../../../schema/json/parse-json.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import type { GatewayResponse } from '../../../sdk/http/http.ts';
import type { ProviderModelList } from '../../../sdk/models/plugin-models.ts';
import type { RouteContext } from '../../../sdk/route/route-row.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';
import { readAccount } from '../provider-requests/account.ts';
import { answerBytes } from '../provider-requests/answer-bytes.ts';

/** The limits of a trial: milliseconds, bytes of the response, models that are shown, and characters of a name. */
const limits = { timeoutMs: 10_000, answerBytes: 16 * 1024 * 1024, models: 1000, nameLength: 255 } as const;

/** The outcomes of a trial. */
export const trialOutcomes = ['accepted', 'refused', 'failed', 'untested'] as const;

/** The result of trying a provider. */
export interface ProviderTrial {
  readonly outcome: (typeof trialOutcomes)[number];
  /** The status of the provider's response; null if there is none. */
  readonly status: number | null;
  /** One sentence. */
  readonly message: string;
  /** One sentence that says what to do; null if there is nothing to do. */
  readonly hint: string | null;
  /** The names of the models in its list, the first 1,000. */
  readonly models: readonly string[];
}

const without = (
  outcome: ProviderTrial['outcome'],
  message: string,
  hint: string | null,
  status: number | null = null,
): ProviderTrial => ({ outcome, status, message, hint, models: [] });

/** Describes a status. The provider's text may repeat the credential, so it is not shown. */
const describeStatus = (status: number): ProviderTrial => {
  if (status === 401 || status === 403)
    return without(
      'refused',
      `The provider refuses the credential (${status}).`,
      'Save the credential again, or give it the permission to list models.',
      status,
    );
  if (status === 404)
    return without(
      'failed',
      'The address can be reached, but has no list of models (404).',
      'Check custom_host: it ends before the paths of the API, usually with /v1.',
      status,
    );
  if (status === 429)
    return without(
      'failed',
      'The provider answered, but refuses further requests for now (429).',
      'Try again later, or raise the limits of the account.',
      status,
    );
  return without('failed', `The provider answered ${status}.`, 'Try again, or check its status page.', status);
};

/** Describes why there is no response: an error of the gateway states a fact, followed by advice. */
const describeError = (message: string): ProviderTrial => {
  const [fact = message] = message.split(/(?<=\.) /, 1);
  const hint = message.slice(fact.length).trim();
  return without(
    'failed',
    fact,
    hint === '' ? 'Check that the address in custom_host is correct and can be reached.' : hint,
  );
};

const isName = (name: string): boolean => name.length > 0 && name.length <= limits.nameLength;

const readAnswer = async (answer: GatewayResponse, list: ProviderModelList): Promise<ProviderTrial> => {
  const text = (await answerBytes(answer.body, limits.answerBytes)).toString();
  if (answer.origin !== 'upstream')
    return describeError(
      findText(findObject(parseObject(text)?.error)?.message) ?? 'The provider could not be reached.',
    );
  if (!isSuccess(answer.status)) return describeStatus(answer.status);
  const json = parseJson(text);
  const page = json === undefined ? undefined : list.read(json);
  if (page === undefined)
    return without(
      'failed',
      'The address responds, but not with a list of models.',
      'Check custom_host: it may lead to another service.',
      answer.status,
    );
  const models = page.models.map(({ model }) => model).filter(isName);
  const message =
    page.next === undefined
      ? `The provider accepts the credential, and lists ${models.length} models.`
      : `The provider accepts the credential; the first page of its list has ${models.length} models.`;
  return {
    ...{ outcome: 'accepted', status: answer.status, message, hint: null },
    models: models.slice(0, limits.models),
  };
};

const untested = without(
  'untested',
  'The gateway cannot list the models of this provider free of charge.',
  'Send it a short request in the playground.',
);

interface Tried {
  readonly slug: string;
  readonly tenant: TenantId;
  readonly context: Pick<RouteContext, 'dispatch' | 'principal'>;
}

const ask = async (
  parts: ControlParts,
  { slug, tenant, context }: Tried,
  list: ProviderModelList,
): Promise<ProviderTrial> => {
  const query = new URLSearchParams(list.query).toString();
  try {
    const account = await readAccount(parts, { tenant, name: slug, context: { ...context, headers: [] } });
    const answer = await account.send({
      ...{ method: 'GET', path: `${list.path}${query === '' ? '' : `?${query}`}`, isPassedOn: true, isCounted: false },
      headers: ['x-gw-request-timeout', String(limits.timeoutMs)],
    });
    return await readAnswer(answer, list);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return describeError(error.message);
  }
};

/** Describes why a record cannot be used. It may have been deleted meanwhile. */
const describeUnusable = ({ unusable = {} }: Saved, slug: string): ProviderTrial => {
  const fault = lookUp(unusable, slug);
  if (fault === undefined) return without('failed', 'It is no longer saved.', 'Save it again.');
  return without('failed', `It ${fault.why}.`, `To use it, ${fault.remedy}.`);
};

/**
 * Tries the credential of a provider or virtual key with a request for the provider's list of models, which costs nothing. The
 * request goes through the data path, under the same rules for addresses, and takes at most ten seconds. Never rejects because of
 * what the provider does.
 */
export const tryProvider = async (parts: ControlParts, tried: Tried): Promise<ProviderTrial> => {
  const { saved: all } = await parts.readView(tried.tenant);
  const saved = lookUp(all.providers, tried.slug) ?? lookUp(all.virtualKeys, tried.slug);
  if (saved === undefined) return describeUnusable(all, tried.slug);
  const provider = parts.catalogue.providers.get(saved.provider);
  if (provider?.inProcess !== undefined)
    return without('accepted', 'It runs in the gateway and needs no credential.', null);
  const list = provider && (await parts.lists?.())?.(provider);
  return list === undefined ? untested : ask(parts, tried, list);
};
