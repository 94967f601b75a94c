/** What has no digit, or is shorter, is no id: most paths have none then. */
const shortestId = 6;

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const mayBeId = (text: string): boolean => text.length >= shortestId && /\d/.test(text);

/** What may be ids in a path and its query. */
export const pathReferences = (path: string): readonly string[] => {
  const [place = '', query = ''] = path.split('?');
  const segments = place.split('/').flatMap((segment) => decoded(segment).split('/'));
  return [...segments, ...new URLSearchParams(query).values()].filter(mayBeId);
};
