import type { Hearing } from '../wire/hearing.ts';
import { checkedMedia, urlMedia } from '../wire/media.ts';
import type { Members } from '../wire/members.ts';
import { refusal } from '../wire/refusal.ts';

const readText = (part: Members): string => {
  part.only(['type', 'text', 'cache_control']).word('type', ['text']);
  return part.text('text');
};

/** Returns the texts of a message whose content is a string or a list of texts only. */
export const textContent = (message: Members): readonly string[] =>
  message.isText('content') ? [message.text('content')] : message.list('content').map(readText);

const readImage = (part: Members): string => {
  const source = part.only(['type', 'image_url']).isText('image_url') ? part : part.object('image_url');
  if (source !== part) source.only(['url', 'detail']);
  const url = source.text(source === part ? 'image_url' : 'url');
  return urlMedia(url, /^image\/(?:png|jpeg|gif|webp)$/, `${part.at}.image_url`);
};

/** The data of a file requires its name: https://platform.openai.com/docs/guides/pdf-files */
const readFile = (part: Members): string => {
  const file = part.only(['type', 'file']).object('file').only(['file_data', 'file_id', 'filename']);
  if (file.has('file_id')) return file.text('file_id');
  if (!file.has('filename')) throw refusal(`${file.at}.file_id`, 'is required without a filename.');
  file.text('filename');
  return urlMedia(file.text('file_data'), /^application\/pdf$/, `${file.at}.file_data`);
};

const readAudio = (part: Members): string => {
  const audio = part.object('input_audio').only(['data', 'format']);
  return checkedMedia(audio.text('data'), `audio/${audio.word('format', ['wav', 'mp3'])}`, audio.at);
};

/** Parses the content of a user's message, with the kinds of parts that the vendor supports. */
export const hearUser = (message: Members, parts: readonly string[], hearing: Hearing): void => {
  if (message.isText('content')) {
    hearing.user.push(message.text('content'));
    return;
  }
  const content = message.list('content');
  if (content.length === 0) throw refusal(`${message.at}.content`, 'must not be empty.');
  for (const part of content) {
    const type = part.word('type', parts);
    if (type === 'text') hearing.user.push(readText(part));
    else if (type === 'image_url') hearing.images.push(readImage(part));
    else if (type === 'file') hearing.documents.push(readFile(part));
    else if (type === 'document_url')
      hearing.documents.push(urlMedia(part.text('document_url'), /^application\/pdf$/, part.at));
    else readAudio(part);
  }
};
