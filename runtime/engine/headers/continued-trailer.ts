/** The trailer that names the leaves which went on with a stream. */
export const continuedTrailer = 'x-gw-continued';
