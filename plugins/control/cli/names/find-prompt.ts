import type { FoundName } from '../../../../schema/config/saved-names.ts';
import { findText } from '../../../../schema/json/loose.ts';
import { parsePrompt, promptKind } from '../../catalog/prompts/content/parse-prompt.ts';
import type { StoreReader } from './store-reader.ts';

/** Finds the version of a stored prompt that a reference names. */
export const findPrompt = async (reader: StoreReader, reference: string): Promise<FoundName> => {
  const answer = await reader.read(`/prompts/${encodeURIComponent(reference)}`);
  if (answer.kind === 'unread') return answer;
  if (answer.kind === 'none') return reader.unknown('/prompts');
  const { value } = answer;
  const virtualKey = findText(value.virtual_key) ?? '';
  const { prompt } = parsePrompt({
    string: findText(value.string) ?? '',
    ...(value.is_raw_template === 1 && { is_raw_template: 1 }),
    parameters: {},
    virtual_key: virtualKey,
  });
  const found = {
    slug: findText(value.slug) ?? reference,
    versionId: findText(value.version_id) ?? '',
    virtualKey,
    kind: prompt === undefined ? 'text' : promptKind(prompt),
  } as const;
  return { kind: 'found', saved: { prompts: { slugs: [found.slug], found: { [reference]: found } } } };
};
