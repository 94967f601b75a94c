import { refusal } from './refusal.ts';

/** What files of these types begin with, in base64. */
const beginnings: Readonly<Record<string, string>> = {
  'image/png': 'iVBORw0KGg',
  'image/jpeg': '/9j/',
  'image/gif': 'R0lGOD',
  'application/pdf': 'JVBERi',
};

/** Base64 of a file of that type, which vendors decode and look into. */
export const checkedMedia = (data: string, mimeType: string, at: string): string => {
  if (data === '' || Buffer.from(data, 'base64').toString('base64') !== data) throw refusal(at, 'is not valid base64.');
  if (!data.startsWith(beginnings[mimeType] ?? '')) throw refusal(at, `is not of the type ${mimeType}.`);
  return data;
};

/** The data of a URL `data:<type>;base64,…`; of another URL, which the vendor would load, the URL itself. */
export const urlMedia = (url: string, types: RegExp, at: string): string => {
  if (/^https?:\/\//.test(url)) return url;
  const [, mimeType, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  if (mimeType === undefined || data === undefined) throw refusal(at, 'must be a URL of https: or of data: in base64.');
  if (!types.test(mimeType)) throw refusal(at, `has the type ${mimeType}, which is not supported.`);
  return checkedMedia(data, mimeType, at);
};

/** Bytes that only their maker reads. No vendor makes one with a dot in it, as the gateway's own marks have. */
export const checkedProof = (proof: string, at: string): string => {
  if (!/^[\w+/-]+={0,2}$/.test(proof)) throw refusal(at, 'is not a value that this vendor made.');
  return proof;
};
