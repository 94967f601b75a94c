import { findText } from '../../../../schema/json/loose.ts';
import { toFileText } from '../../shared/checked-texts/file-text.ts';
import { list, type Member, media, object, structural, text } from '../../shared/checked-texts/members.ts';
import { toMimeType } from '../parts/media-formats.ts';

const said = object({ text: text() });

const citations = object({ enabled: structural });

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_DocumentBlock.html */
export const documentBlock: Member = object({
  // Models read the name.
  name: text('other'),
  context: text(),
  source: object({
    text: text(),
    bytes: toFileText(([, document]) => toMimeType('document', findText(document?.format) ?? 'txt')),
    content: list(said),
    s3Location: object({ uri: media, bucketOwner: structural }),
  }),
  format: structural,
  citations,
});

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_SearchResultBlock.html */
export const searchResult: Member = object({ title: text(), source: structural, content: list(said), citations });
