import type { AnswerCodec, Dialect } from './dialect.ts';

/** Returns the codec for answers of a dialect, or undefined if its answers can only be passed through. */
export const findAnswerCodec = ({ conversation, answers }: Dialect): AnswerCodec | undefined => conversation ?? answers;
