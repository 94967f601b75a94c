export interface DataUrl {
  readonly mimeType: string;
  /** Base64. */
  readonly data: string;
}

/** A type that browsers and tools use for JPEG, but that only OpenAI's services accept. */
const jpg = /^image\/jpg$/i;

/**
 * Returns the parts of a base64 `data:` URL, or undefined for any other. It may be megabytes long, so it is sliced, not matched.
 */
export const parseDataUrl = (url: string): DataUrl | undefined => {
  if (!url.startsWith('data:')) return undefined;
  const comma = url.indexOf(',');
  const head = url.slice('data:'.length, comma);
  if (comma < 0 || !head.endsWith(';base64')) return undefined;
  const [mimeType = ''] = head.split(';', 1);
  const named = mimeType === 'base64' ? '' : mimeType;
  return { mimeType: jpg.test(named) ? 'image/jpeg' : named, data: url.slice(comma + 1) };
};

export const toDataUrl = ({ mimeType, data }: DataUrl): string => `data:${mimeType};base64,${data}`;
