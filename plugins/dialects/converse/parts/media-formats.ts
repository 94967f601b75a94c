import type { MediaPart } from '../../../../schema/conversation/conversation.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';

type Kind = MediaPart['media'];

/** The formats of each kind of media with their MIME types: https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ContentBlock.html */
const formats: Readonly<Record<Kind, Readonly<Record<string, string>>>> = {
  image: { png: 'image/png', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' },
  document: {
    pdf: 'application/pdf',
    csv: 'text/csv',
    doc: 'application/msword',
    docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    xls: 'application/vnd.ms-excel',
    xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    html: 'text/html',
    txt: 'text/plain',
    md: 'text/markdown',
  },
  audio: {
    wav: 'audio/wav',
    mp3: 'audio/mpeg',
    flac: 'audio/flac',
    ogg: 'audio/ogg',
    aac: 'audio/aac',
    m4a: 'audio/mp4',
    opus: 'audio/opus',
    webm: 'audio/webm',
    pcm: 'audio/pcm',
    mka: 'audio/x-matroska',
  },
  video: {
    mp4: 'video/mp4',
    mov: 'video/quicktime',
    mkv: 'video/x-matroska',
    webm: 'video/webm',
    flv: 'video/x-flv',
    mpeg: 'video/mpeg',
    wmv: 'video/x-ms-wmv',
    three_gp: 'video/3gpp',
  },
};

/** Other names for the same types and formats. */
const aliases: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/mp3': 'audio/mpeg',
  'audio/x-flac': 'audio/flac',
  'audio/x-m4a': 'audio/mp4',
  'audio/x-aac': 'audio/aac',
  jpg: 'jpeg',
  mpg: 'mpeg',
  mpga: 'mp3',
  'x-aac': 'aac',
  '3gp': 'three_gp',
};

/** Returns the format of a MIME type, or undefined if there is none. */
export const findFormat = (kind: Kind, mimeType: string): string | undefined => {
  const [type = ''] = mimeType.toLowerCase().split(';', 1);
  const known = lookUp(aliases, type) ?? type;
  return Object.entries(formats[kind]).find(([, each]) => each === known)?.[0];
};

/** Returns the MIME type of a format. For a format that is not known yet, the format is the second half of the type. */
export const toMimeType = (kind: Kind, format: string): string =>
  lookUp(formats[kind], lookUp(aliases, format) ?? format) ?? `${kind === 'document' ? 'application' : kind}/${format}`;

/** Returns the format that the ending of a file's name indicates. */
export const formatOfName = (kind: Kind, name: string): string | undefined => {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  const format = lookUp(aliases, ending) ?? ending;
  return Object.hasOwn(formats[kind], format) ? format : undefined;
};
