import type { FoundName } from '../../../../schema/config/saved-names.ts';
import { parsePrompt, promptKind } from '../../catalog/prompts/content/parse-prompt.ts';
import { type StoreReader, textMember, unknownName } from './store-reader.ts';

/** The version of a stored prompt that a reference names. */
export const findPrompt = async (reader: StoreReader, reference: string): Promise<FoundName> => {
  const answer = await reader.read(`/prompts/${encodeURIComponent(reference)}`);
  if (answer.kind === 'unread') return answer;
  if (answer.kind === 'none') {
    const listed = await reader.list('/prompts');
    return unknownName(listed.kind === 'read' ? listed.items : []);
  }
  const { value } = answer;
  const virtualKey = textMember(value, 'virtual_key') ?? '';
  const { prompt } = parsePrompt({
    string: textMember(value, 'string') ?? '',
    ...(value.is_raw_template === 1 && { is_raw_template: 1 }),
    parameters: {},
    virtual_key: virtualKey,
  });
  const found = {
    slug: textMember(value, 'slug') ?? reference,
    versionId: textMember(value, 'version_id') ?? '',
    virtualKey,
    kind: prompt === undefined ? 'text' : promptKind(prompt),
  } as const;
  return { kind: 'found', saved: { prompts: { slugs: [found.slug], found: { [reference]: found } } } };
};
