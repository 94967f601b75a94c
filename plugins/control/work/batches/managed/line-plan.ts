import { labelsError } from '../../../../../schema/config/labels-error.ts';
import { invalidInput } from '../../../../../schema/errors/invalid-input.ts';
import { isJsonObject, type Json, writtenText } from '../../../../../schema/json/json.ts';
import { parseJson } from '../../../../../schema/json/parse-json.ts';
import { toPointer } from '../../../../../schema/json/pointer.ts';
import { savedSlug } from '../../../../../schema/text/slug-model.ts';
import type { TenantView } from '../../../../sdk/control-plane/tenants.ts';
import { onlyNames } from '../../../../sdk/http/header-lines.ts';
import { headerValue, type RawHeaders } from '../../../../sdk/http/http.ts';
import type { Account } from '../../provider-requests/account.ts';
import type { NewBatchBody } from '../batch/batch-bodies.ts';

/** How the lines of a batch are sent, as it is stored: names, without credentials. */
export interface LinePlan {
  readonly headers: RawHeaders;
  /** The saved config that the lines use. */
  readonly config?: string;
}

const config = 'x-gw-config';
const metadata = 'x-gw-metadata';
const destinations = ['x-gw-provider', 'x-gw-virtual-key'] as const;

const problemAt = (place: Place, message: string, hint: string) =>
  invalidInput([
    {
      ...(place.part === 'header' ? { in: 'header' as const } : {}),
      ...{ pointer: toPointer(place.part === 'header' ? [place.name] : ['gw_options', place.name]), message, hint },
    },
  ]);

interface Place {
  readonly part: 'header' | 'body';
  readonly name: string;
}

interface Named {
  readonly place: Place;
  readonly value: string;
}

/** Reads the value that a request sets for a header name: an option of its body takes precedence over the header. */
const named = (
  name: typeof config | typeof metadata | (typeof destinations)[number],
  { headers, options = {} }: { readonly headers: RawHeaders; readonly options: NewBatchBody['gw_options'] },
): Named | undefined => {
  const option = options[name];
  if (option !== undefined) return { place: { part: 'body', name }, value: writtenText(option) };
  const header = headerValue(headers, name);
  return header === undefined || header === '' ? undefined : { place: { part: 'header', name }, value: header };
};

const checkConfig = (
  { place, value }: Named,
  { view, fileConfigs }: { readonly view: TenantView; readonly fileConfigs: Iterable<string> },
): void => {
  if (/^\s*\{/.test(value))
    throw problemAt(
      place,
      'A batch runs later and stores no credentials, so its config must be a saved one.',
      'Save the config, and send its slug.',
    );
  if (view.config(value) === undefined && ![...fileConfigs].includes(value))
    throw problemAt(place, `There is no config "${value.slice(0, 255)}".`, 'GET /v1/configs lists the existing ones.');
};

const checkDestination = ({ place, value }: Named, { saved }: TenantView): void => {
  const slug = savedSlug(value);
  const isKnown =
    place.name === 'x-gw-virtual-key'
      ? Object.hasOwn(saved.virtualKeys, value)
      : slug === undefined || Object.hasOwn(saved.providers, slug);
  if (!isKnown)
    throw problemAt(
      place,
      `Your workspace has no virtual key or provider "${value.slice(0, 255)}".`,
      'GET /v1/providers and GET /v1/virtual-keys list the existing ones.',
    );
};

const checkMetadata = ({ place, value }: Named): void => {
  const error = labelsError(parseJson(value));
  if (error !== undefined) throw problemAt(place, `It ${error}.`, 'Write labels as {"team": "search"}.');
};

/**
 * Returns how the lines of a batch are sent: with the config that the request names, or else to its account. Throws the
 * `GatewayError` `invalid-input`.
 */
export const linePlan = (
  { headers, options }: { readonly headers: RawHeaders; readonly options: NewBatchBody['gw_options'] },
  {
    account,
    view,
    fileConfigs,
  }: {
    readonly account: Pick<Account, 'selectorHeaders'>;
    readonly view: TenantView;
    /** The names of configs in the gateway's files. */
    readonly fileConfigs: Iterable<string>;
  },
): LinePlan => {
  const asked = { headers, options };
  const labels = named(metadata, asked);
  if (labels !== undefined) checkMetadata(labels);
  const routing = named(config, asked);
  if (routing !== undefined) checkConfig(routing, { view, fileConfigs });
  // The header x-gw-virtual-key has already named the provider.
  const other = destinations.flatMap((name) => named(name, { headers: [], options }) ?? []);
  for (const each of other) checkDestination(each, view);
  const isOfAccount = routing === undefined && other.length === 0;
  return {
    headers: [
      ...(routing === undefined ? [] : [config, routing.value]),
      ...(isOfAccount ? account.selectorHeaders : other.flatMap(({ place, value }) => [place.name, value])),
      ...(labels === undefined ? [] : [metadata, labels.value]),
      // Its pairs are labels too, with lower precedence than these.
      ...onlyNames(headers, ['baggage']),
    ],
    ...(routing === undefined ? {} : { config: routing.value }),
  };
};

/** Checks whether an object anywhere in a value has a member with this name. */
const mentions = (value: Json, name: string): boolean =>
  typeof value === 'object' &&
  value !== null &&
  ((isJsonObject(value) && Object.hasOwn(value, name)) || Object.values(value).some((each) => mentions(each, name)));

/** Checks whether a saved config itself decides what is retried. */
export const decidesRetries = async ({ config: name }: LinePlan, view: TenantView): Promise<boolean> => {
  const text = name === undefined ? undefined : await view.config(name)?.text();
  return text !== undefined && mentions(parseJson(text) ?? null, 'retry');
};
