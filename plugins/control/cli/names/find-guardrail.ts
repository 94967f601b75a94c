import type { FoundName } from '../../../../schema/config/saved-names.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../../schema/json/loose.ts';
import { withValues } from '../../../../schema/json/with-values.ts';
import { guardrailValue, placeOfChecks, type ReferringCheck } from '../../catalog/guardrails/saved-guardrails.ts';
import { savedRef } from '../../kernel/records/saved-parts.ts';
import { isPlaceholder, literalAt, readPlaces } from '../../kernel/secrets/literals.ts';
import type { StoreReader } from './store-reader.ts';

const toCheck = ({ id, parameters }: JsonObject): readonly ReferringCheck[] =>
  typeof id === 'string' ? [{ id, parameters: findObject(parameters) ?? {} }] : [];

/** Reads the checks with references in place of the placeholders that their secrets are read as. */
const readChecks = ({ checks = [], ...record }: JsonObject): readonly ReferringCheck[] => {
  const at = placeOfChecks({
    id: findText(record.id) ?? '',
    workspace_id: findText(record.workspace_id) ?? null,
    organisation_id: findText(record.organisation_id) ?? '',
  });
  const secrets = readPlaces(checks, (value) => isPlaceholder(value));
  const referring = withValues(
    checks,
    new Map(secrets.map(([pointer]) => [pointer, savedRef(literalAt(at, pointer))] as const)),
  );
  return toObjects(referring).flatMap(toCheck);
};

/** Finds the saved guardrail that a slug or an id names. */
export const findGuardrail = async (reader: StoreReader, name: string): Promise<FoundName> => {
  const answer = await reader.read(`/guardrails/${encodeURIComponent(name)}`);
  if (answer.kind === 'unread') return answer;
  if (answer.kind === 'none') return reader.unknown('/guardrails');
  const { slug, actions } = answer.value;
  const value = guardrailValue(findText(slug) ?? name, {
    checks: readChecks(answer.value),
    actions: findObject(actions) ?? {},
  });
  return { kind: 'found', saved: { guardrails: { [name]: value } } };
};
