import type { Hearing } from '../wire/hearing.ts';
import { checkedMedia, checkedProof } from '../wire/media.ts';
import { type Members, onlyMember } from '../wire/members.ts';
import { refusal } from '../wire/refusal.ts';

const besideData = ['thought', 'thoughtSignature', 'videoMetadata', 'mediaResolution', 'partMetadata'];
const data = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
];

/** Returns the member that determines the kind of a part. There must be exactly one. */
export const kindOfPart = (part: Members): string => {
  part.only([...besideData, ...data]);
  const kinds = part.names.filter((name) => data.includes(name));
  const [kind] = kinds;
  if (kind === undefined) throw refusal(part.at, 'required oneof field "data" must have one initialized field.');
  if (kinds.length > 1) throw refusal(part.at, `oneof field "data" is already set. Cannot set ${kinds[1]}.`);
  if (part.has('thoughtSignature')) checkedProof(part.text('thoughtSignature'), `${part.at}.thoughtSignature`);
  return kind;
};

const hearMedia = (part: Members, kind: string, hearing: Hearing): void => {
  const isInline = kind === 'inlineData';
  const file = part
    .object(kind)
    .only(isInline ? ['mimeType', 'data', 'displayName'] : ['mimeType', 'fileUri', 'displayName']);
  const mimeType = file.text('mimeType');
  const content = isInline ? checkedMedia(file.text('data'), mimeType, `${file.at}.data`) : file.text('fileUri');
  if (mimeType.startsWith('image/')) hearing.images.push(content);
  else hearing.documents.push(content);
};

/** Returns the text of a result: its output, if it has one as the vendor documents, or the whole result. */
const resultText = (response: Members): string => {
  if (response.names.length !== 1)
    return JSON.stringify(Object.fromEntries(response.names.map((n) => [n, response.value(n)])));
  const name = onlyMember(response, response.names);
  return response.isText(name) ? response.text(name) : JSON.stringify(response.value(name));
};

/** Parses a part of a user's content. */
export const hearUserPart = (part: Members, hearing: Hearing): void => {
  const kind = kindOfPart(part);
  if (kind === 'text') {
    hearing.user.push(part.text('text'));
    return;
  }
  if (kind !== 'functionResponse') {
    hearMedia(part, kind, hearing);
    return;
  }
  const result = part.object(kind).only(['id', 'name', 'response', 'parts', 'scheduling', 'willContinue']);
  if (result.text('name') === '') throw refusal(`${result.at}.name`, 'cannot be empty.');
  const id = result.has('id') ? result.text('id') : '';
  hearing.results.push({ id, text: resultText(result.object('response')) });
};

/** Placeholders that prove nothing: https://ai.google.dev/gemini-api/docs/thought-signatures#faqs */
const placeholders = ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go'];

/** Parses a part of the model's content. */
export const hearModelPart = (part: Members, hearing: Hearing): void => {
  if (part.has('thoughtSignature') && !placeholders.includes(part.text('thoughtSignature')))
    hearing.proofs.push(part.text('thoughtSignature'));
  if (kindOfPart(part) !== 'functionCall') return;
  const call = part.object('functionCall').only(['id', 'name', 'args', 'partialArgs', 'willContinue']);
  if (call.text('name') === '') throw refusal(`${call.at}.name`, 'cannot be empty.');
  hearing.calls.push({
    id: call.has('id') ? call.text('id') : '',
    name: call.text('name'),
    args: call.has('args') ? call.json('args') : {},
  });
};
