import type { JsonObject } from '../../../schema/json/json.ts';
import { findText } from '../../../schema/json/loose.ts';
import type { EmbeddingForm } from '../../sdk/dialect/embedding-form.ts';
import { findPurpose, purposeMembers } from './purposes.ts';

type Change = (body: JsonObject) => { readonly body: JsonObject; readonly lost: readonly string[] };

const without = (body: JsonObject, name: string): JsonObject => {
  const { [name]: _, ...rest } = body;
  return rest;
};

const isStated = (body: JsonObject, name: string): boolean => body[name] !== undefined && body[name] !== null;

const withDimensions =
  ({ dimensions: name = 'dimensions' }: EmbeddingForm): Change =>
  (body) => {
    const { dimensions } = body;
    if (name === 'dimensions' || dimensions === undefined) return { body, lost: [] };
    const rest = without(body, 'dimensions');
    return { body: isStated(body, name) || dimensions === null ? rest : { ...rest, [name]: dimensions }, lost: [] };
  };

const withEncoding =
  ({ encoding }: EmbeddingForm): Change =>
  (body) => {
    const asked = body.encoding_format;
    if (encoding === undefined || (asked !== 'float' && asked !== 'base64')) return { body, lost: [] };
    const word = encoding.words[asked];
    const rest = without(body, 'encoding_format');
    return { body: word === undefined ? rest : { ...rest, [encoding.member]: word }, lost: [] };
  };

const withPurpose =
  ({ purpose }: EmbeddingForm): Change =>
  (body) => {
    const said = purposeMembers.find((name) => findPurpose(findText(body[name])) !== undefined);
    if (purpose === undefined)
      return said === undefined ? { body, lost: [] } : { body: without(body, said), lost: ['purpose'] };
    const { member, words, default: otherwise } = purpose;
    const own = findText(body[member]);
    // The service itself judges a word of its own, or an unknown one.
    if ((own !== undefined && Object.values(words).includes(own)) || (isStated(body, member) && said !== member))
      return { body, lost: [] };
    const found = said === undefined ? undefined : findPurpose(findText(body[said]));
    const word = found === undefined ? undefined : words[found];
    const rest = said === undefined ? body : without(body, said);
    const lost = found !== undefined && word === undefined ? ['purpose'] : [];
    const sent = word ?? otherwise;
    return { body: sent === undefined ? rest : { ...rest, [member]: sent }, lost };
  };

/**
 * Returns the request in the form of a service that follows OpenAI with some other names, or the same object if nothing changes.
 */
export const inForm = (
  body: JsonObject,
  form: EmbeddingForm,
): { readonly body: JsonObject; readonly lost: readonly string[] } =>
  [withDimensions(form), withEncoding(form), withPurpose(form)].reduce(
    (sent, change) => {
      const changed = change(sent.body);
      return { body: changed.body, lost: [...sent.lost, ...changed.lost] };
    },
    { body, lost: [] as readonly string[] },
  );
