import { fromJson } from '../../../../schema/json/from-json.ts';
import type { DefaultGuardrails } from '../../../sdk/control-plane/tenants.ts';
import type { GuardrailRow } from '../../kernel/store/tables/tables.ts';
import type { TenantRows } from './read-rows.ts';

/** What a workspace or an organisation says of the requests of its members. */
export interface TenantSettings {
  /** The name of a config. */
  readonly config?: string;
  readonly input_guardrails?: readonly string[];
  readonly output_guardrails?: readonly string[];
}

export const toSettings = (text: string): TenantSettings => fromJson(text) as TenantSettings;

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
export const findDefaultGuardrails = ({ settings, guardrails }: TenantRows): DefaultGuardrails | undefined => {
  const common = toSettings(settings.organisation);
  const own = toSettings(settings.workspace);
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
