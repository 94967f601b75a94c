import { type AnswerBounds, defaultAnswerBounds } from '../engine/call/answer-bounds.ts';

const mebibyte = 1024 * 1024;

/** Limits in bytes, and the limits of answers. */
export interface Limits extends AnswerBounds {
  /** The header section of a request. */
  readonly headerBytes: number;
  /** `x-gw-config`. */
  readonly configBytes: number;
  /** A buffered body. */
  readonly bodyBytes: number;
  /** All bodies in memory together. */
  readonly bodiesBytes: number;
  /** A form that is stored in a file. */
  readonly formBytes: number;
  /** All of these forms together. */
  readonly formsBytes: number;
}

export const defaultLimits: Limits = {
  ...defaultAnswerBounds,
  headerBytes: 64 * 1024,
  configBytes: 32 * 1024,
  bodyBytes: 32 * mebibyte,
  bodiesBytes: 256 * mebibyte,
  formBytes: 512 * mebibyte,
  formsBytes: 4096 * mebibyte,
};
