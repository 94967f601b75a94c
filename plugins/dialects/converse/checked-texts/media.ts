import { type Member, type Members, media, object, structural, text } from '../../wire/checked-texts/members.ts';

/** Bytes, or where they are kept. */
const source = object({ bytes: media, s3Location: object({ uri: media, bucketOwner: structural }) });

const mediaBlock: Member = object({ format: structural, source, error: object({ message: text('other') }) });

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ImageBlock.html and its neighbours. */
export const mediaBlocks: Members = { image: mediaBlock, audio: mediaBlock, video: mediaBlock };
