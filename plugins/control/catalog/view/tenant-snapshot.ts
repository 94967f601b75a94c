import type { Saved } from '../../../../schema/config/saved.ts';
import { hashValue } from '../../../../schema/json/canonical.ts';
import { fromJson } from '../../../../schema/json/from-json.ts';
import type { Json } from '../../../../schema/json/json.ts';
import type { SecretRef } from '../../../../schema/plan/plan.ts';
import type { DefaultGuardrails } from '../../../sdk/control-plane/tenants.ts';
import type { Catalogue } from '../../../sdk/plugin/catalogue.ts';
import { storedSettings } from '../../access/identity/places/stored-settings.ts';
import type { SealedSecret, SealedSecrets } from '../../kernel/records/saved-parts.ts';
import { SecretError } from '../../kernel/secrets/seal.ts';
import type { Sealer } from '../../kernel/secrets/sealer.ts';
import type { GuardrailRow } from '../../kernel/store/tables/tables.ts';
import { toGuardrailParts } from '../guardrails/saved-guardrails.ts';
import { toSavedProviders } from '../providers/to-saved-providers.ts';
import type { TenantRows } from './read-rows.ts';

/** Ids instead of slugs, where there are such guardrails: a workspace's own cannot take the place of its organisation's. */
const toIds = (
  names: readonly string[],
  guardrails: readonly GuardrailRow[],
  otherwise: (name: string) => string = (name) => name,
): readonly string[] =>
  names.map((name) => {
    const found = guardrails.find(({ id }) => id === name) ?? guardrails.find(({ slug }) => slug === name);
    return found?.id ?? otherwise(name);
  });

/**
 * A name that an organisation has no guardrail of. One that the workspace has is not meant by it, so that another name is
 * given instead, which no guardrail has: requests are refused until the name is free again.
 */
const excludes =
  (own: readonly GuardrailRow[]) =>
  (name: string): string =>
    own.some(({ id, slug }) => id === name || slug === name) ? `${name} (of the organisation)` : name;

/** Those of the organisation, then those of the workspace, each once. */
const findDefaultGuardrails = ({ settings, guardrails }: TenantRows): DefaultGuardrails | undefined => {
  const common = storedSettings(settings.organisation);
  const own = storedSettings(settings.workspace);
  const ofOrganisation = guardrails.filter(({ workspace_id }) => workspace_id === null);
  const ofWorkspace = guardrails.filter(({ workspace_id }) => workspace_id !== null);
  const readIds = (part: 'input_guardrails' | 'output_guardrails'): readonly string[] => [
    ...new Set([
      ...toIds(common[part] ?? [], ofOrganisation, excludes(ofWorkspace)),
      ...toIds(own[part] ?? [], [...ofWorkspace, ...ofOrganisation]),
    ]),
  ];
  const [input, output] = [readIds('input_guardrails'), readIds('output_guardrails')];
  return input.length + output.length === 0 ? undefined : { input, output };
};

/** All that plans of a tenant are made of, beside the texts of configs. */
export interface TenantSnapshot {
  /** The hash of everything here, of secrets as they are sealed. */
  readonly version: string;
  readonly saved: Saved;
  readonly secrets: (ref: SecretRef) => string | undefined;
  readonly defaultGuardrails?: DefaultGuardrails;
  /** Whether nothing is here but what the gateway file has. */
  readonly isEmpty: boolean;
  /** Its size in memory, roughly. */
  readonly bytes: number;
}

export interface ThingsOptions {
  readonly sealer: Pick<Sealer, 'open'>;
  readonly catalogue: Catalogue;
  /** The records of the gateway file. */
  readonly overlay: Saved;
}

type Opened = ReadonlyMap<string, string | undefined>;

/** One secret that does not open is missing where it is needed, and keeps nothing else from being used. */
const open = async (
  sealer: Pick<Sealer, 'open'>,
  { sealed, at, isJson }: SealedSecret,
): Promise<string | undefined> => {
  try {
    const text = await sealer.open(sealed, at);
    const value: Json = isJson === true ? fromJson(text) : text;
    return typeof value === 'string' ? value : text;
  } catch (error) {
    if (error instanceof SecretError) return undefined;
    throw error;
  }
};

const openAll = async (sealer: Pick<Sealer, 'open'>, secrets: SealedSecrets): Promise<Opened> =>
  new Map(await Promise.all([...secrets].map(async ([ref, secret]) => [ref, await open(sealer, secret)] as const)));

const within = <Thing>(own: Readonly<Record<string, Thing>>, overlay: Readonly<Record<string, Thing>>) =>
  Object.keys(own).length === 0 ? overlay : { ...overlay, ...own };

/** The memory of an object with its texts, for each byte of its JSON. */
const perByte = 4;

/** Makes the snapshot of a tenant from its rows at a time in milliseconds; the one before, if nothing has changed. */
export const toThings = async (
  rows: TenantRows,
  { now, before }: { readonly now: number; readonly before: TenantSnapshot | undefined },
  { sealer, overlay, catalogue }: ThingsOptions,
): Promise<TenantSnapshot> => {
  const { providers, virtualKeys, secrets: ofProviders } = toSavedProviders(rows, { now, catalogue });
  const { guardrails, secrets: ofGuardrails } = toGuardrailParts(rows.guardrails);
  const secrets = new Map([...ofProviders, ...ofGuardrails]);
  const defaultGuardrails = findDefaultGuardrails(rows);
  const { prompts } = rows;
  const own = { providers, virtualKeys, guardrails, defaultGuardrails, prompts, secrets: Object.fromEntries(secrets) };
  const version = hashValue(own);
  if (before?.version === version) return before;
  const opened = await openAll(sealer, secrets);
  return {
    version,
    saved: {
      providers: within(providers, overlay.providers),
      virtualKeys: within(virtualKeys, overlay.virtualKeys),
      guardrails: within(guardrails, overlay.guardrails),
      prompts: { slugs: rows.promptHeads.map(({ slug }) => slug), found: {} },
    },
    secrets: (ref) => opened.get(ref),
    ...(defaultGuardrails === undefined ? {} : { defaultGuardrails }),
    isEmpty:
      defaultGuardrails === undefined &&
      [providers, virtualKeys, guardrails, prompts].every((things) => Object.keys(things).length === 0),
    bytes: JSON.stringify(own).length * perByte,
  };
};
