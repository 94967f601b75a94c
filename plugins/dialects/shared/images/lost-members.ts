import type { ImageRequest } from '../../../../schema/operations/image.ts';

/** A member of a request that a format may be unable to express. */
type ImageMember = keyof Omit<ImageRequest, 'model' | 'prompt' | 'count' | 'delivery' | 'stream' | 'extensions'>;

const members: readonly ImageMember[] = [
  ...(['size', 'aspectRatio', 'quality', 'style', 'background'] as const),
  ...(['format', 'compression', 'seed', 'negativePrompt', 'previews'] as const),
];

/** The members of a request for images that a format can express. */
export interface ImagePlaces {
  readonly accepts: readonly ImageMember[];
  /** How many images one request produces at most. */
  readonly max: number;
  /** How the service returns images, if it has only one way. */
  readonly returns?: 'base64' | 'url';
  /** Members of the client's body that have the same name in the format. */
  readonly forwards?: readonly string[];
}

/** Returns the members of a request that a format loses. */
export const lostMembers = (
  request: ImageRequest,
  { accepts: takes, max, returns: gives, forwards: passes = [] }: ImagePlaces,
): readonly string[] => {
  const { delivery, count, extensions } = request;
  return [
    ...(count > max ? ['count'] : []),
    ...members.filter((member) => request[member] !== undefined && !takes.includes(member)),
    ...(delivery !== undefined && gives !== undefined && delivery !== gives ? ['delivery'] : []),
    ...Object.keys(extensions)
      .filter((name) => !passes.includes(name))
      .map((name) => `extensions.images.${name}`),
  ];
};
