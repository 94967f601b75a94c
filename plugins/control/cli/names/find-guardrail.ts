import type { FoundName } from '../../../../schema/config/saved-names.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { withValues } from '../../../../schema/json/with-values.ts';
import { placeOfChecks } from '../../catalog/guardrails/guardrail-secrets.ts';
import { guardrailValue, type ReferringCheck } from '../../catalog/guardrails/guardrail-value.ts';
import { savedRef } from '../../kernel/records/saved-parts.ts';
import { literalAt } from '../../kernel/secrets/literals.ts';
import { isPlaceholder } from '../../kernel/secrets/placeholder.ts';
import { readPlaces } from '../../kernel/secrets/read-places.ts';
import { objectMember, type StoreReader, textMember, unknownName } from './store-reader.ts';

const toCheck = (value: Json): readonly ReferringCheck[] => {
  const id = isJsonObject(value) ? textMember(value, 'id') : undefined;
  return id === undefined || !isJsonObject(value) ? [] : [{ id, parameters: objectMember(value, 'parameters') }];
};

/** The checks with references in place of the placeholders that their secrets are read as. */
const readChecks = (record: JsonObject): readonly ReferringCheck[] => {
  const checks = record.checks ?? [];
  const at = placeOfChecks({
    id: textMember(record, 'id') ?? '',
    workspace_id: textMember(record, 'workspace_id') ?? null,
    organisation_id: textMember(record, 'organisation_id') ?? '',
  });
  const secrets = readPlaces(checks, (value) => isPlaceholder(value));
  const referring = withValues(
    checks,
    new Map(secrets.map(([pointer]) => [pointer, savedRef(literalAt(at, pointer))] as const)),
  );
  return Array.isArray(referring) ? referring.flatMap(toCheck) : [];
};

/** The saved guardrail that a slug or an id names. */
export const findGuardrail = async (reader: StoreReader, name: string): Promise<FoundName> => {
  const answer = await reader.read(`/guardrails/${encodeURIComponent(name)}`);
  if (answer.kind === 'unread') return answer;
  if (answer.kind === 'none') {
    const listed = await reader.list('/guardrails');
    return unknownName(listed.kind === 'read' ? listed.items : []);
  }
  const record = answer.value;
  const value = guardrailValue(textMember(record, 'slug') ?? name, {
    checks: readChecks(record),
    actions: objectMember(record, 'actions'),
  });
  return { kind: 'found', saved: { guardrails: { [name]: value } } };
};
