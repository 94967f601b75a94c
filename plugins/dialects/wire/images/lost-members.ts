import type { ImageRequest } from '../../../../schema/operations/image.ts';

/** A member of a request that a format may have no place for. */
type ImageMember = keyof Omit<ImageRequest, 'model' | 'prompt' | 'count' | 'delivery' | 'stream' | 'extensions'>;

const members: readonly ImageMember[] = [
  ...(['size', 'aspectRatio', 'quality', 'style', 'background'] as const),
  ...(['format', 'compression', 'seed', 'negativePrompt', 'previews'] as const),
];

/** The places that a format has for the members of a request for pictures. */
export interface ImagePlaces {
  readonly takes: readonly ImageMember[];
  /** The most pictures that one request makes. */
  readonly max: number;
  /** How the service gives pictures, if it does so in one way alone. */
  readonly gives?: 'base64' | 'url';
  /** Members of the client's body that the format has by the same name. */
  readonly passes?: readonly string[];
}

/** The members of a request that a format loses. */
export const lostMembers = (
  request: ImageRequest,
  { takes, max, gives, passes = [] }: ImagePlaces,
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
