export interface DataUrl {
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
}

/** The parts of a base64 `data:` URL; undefined for any other. It may be megabytes long, so it is sliced, not matched. */
export const parseDataUrl = (url: string): DataUrl | undefined => {
  if (!url.startsWith('data:')) return undefined;
  const comma = url.indexOf(',');
  const head = url.slice('data:'.length, comma);
  if (comma < 0 || !head.endsWith(';base64')) return undefined;
  const [mimeType = ''] = head.split(';', 1);
  return { mimeType: mimeType === 'base64' ? '' : mimeType, data: url.slice(comma + 1) };
};

export const toDataUrl = ({ mimeType, data }: DataUrl): string => `data:${mimeType};base64,${data}`;
