import { checkedMedia } from '../wire/media.ts';
import { type Members, onlyMember } from '../wire/members.ts';
import { refusal } from '../wire/refusal.ts';

const mimeTypes: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
};

const readSource = (media: Members, format: string, others: readonly string[]): string => {
  const source = media.object('source');
  switch (onlyMember(source, ['bytes', 's3Location', ...others])) {
    case 'bytes':
      return checkedMedia(source.text('bytes'), mimeTypes[format] ?? format, `${source.at}.bytes`);
    case 's3Location':
      return source.object('s3Location').only(['uri', 'bucketOwner']).text('uri');
    default:
      return source.isText('text') ? source.text('text') : '';
  }
};

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ImageBlock.html */
export const hearImage = (image: Members): string =>
  readSource(image.only(['format', 'source']), image.word('format', ['png', 'jpeg', 'gif', 'webp']), []);

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_DocumentBlock.html */
export const hearDocument = (document: Members): string => {
  document.only(['format', 'name', 'source', 'context', 'citations']);
  const name = document.text('name');
  if (!/^[A-Za-z0-9\s()[\]-]{1,200}$/.test(name) || /\s\s/.test(name))
    throw refusal(
      `${document.at}.name`,
      `is "${name}". The file name can only contain alphanumeric characters, whitespace characters, hyphens, parentheses, and square brackets, and no more than one consecutive whitespace character.`,
    );
  const format = document.word('format', ['pdf', 'csv', 'doc', 'docx', 'xls', 'xlsx', 'html', 'txt', 'md']);
  return readSource(document, format, ['text', 'content']);
};
