import type { AnswerEventOf } from '../../../../schema/conversation/answer.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { findText, withoutNulls } from '../../../../schema/json/loose.ts';
import { bindDetails, findProof, isTyped, type ReasoningDetail } from './reasoning-details.ts';

/** A piece of a part of reasoning. `block` counts the parts from 0. */
export type ReasoningPiece = Omit<AnswerEventOf<'reasoning'>, 'choice'>;

/** A part that may still grow. */
interface OpenPart {
  readonly block: number;
  readonly format: string;
  /** Its details so far, without their words. */
  readonly rests: JsonObject[];
  /** The number of summaries among them. */
  summaries: number;
  isBound: boolean;
}

const readFormat = ({ format }: JsonObject): string => findText(format) ?? '';

const isText = ({ type }: JsonObject): boolean => type === 'reasoning.text';
const isSummary = ({ type }: JsonObject): boolean => type === 'reasoning.summary';

/** Claude's format is the documented default. */
const isClaude = ({ format }: OpenPart): boolean => format === '' || format.startsWith('anthropic-claude');

const isSameDetail = (a: JsonObject | undefined, b: JsonObject): boolean => a?.type === b.type && a?.index === b.index;

/** Whether a part waits for a signature or for encrypted reasoning, without which the service refuses its text. */
const awaitsProof = (open: OpenPart): boolean =>
  !open.isBound && isText(open.rests.at(-1) ?? {}) && (isClaude(open) || open.format.startsWith('google-gemini'));

/**
 * Joins the details of an answer, or the pieces of them in a stream, to parts: a text with its signature, and summaries or a text
 * with the encrypted reasoning after them. The index of a detail alone does not separate parts, because some models number the
 * encrypted reasoning like its summary.
 */
export class DetailAssembly {
  readonly #scope: string;
  #open: OpenPart | undefined;
  #next = 0;

  constructor(scope: string) {
    this.#scope = scope;
  }

  push({ text, summary, rest }: ReasoningDetail): readonly ReasoningPiece[] {
    const isSilent = text === '' && summary === '';
    const proof = findProof(rest);
    if ((isSilent && proof === '') || (isSilent && this.#repeats(rest, proof))) return [];
    const closed = this.#continues(rest) ? [] : this.close();
    const open = this.#grow(rest);
    const { block, summaries } = open;
    const pieces = [...closed];
    if (text !== '') pieces.push({ kind: 'reasoning', block, text });
    if (summary !== '')
      pieces.push({ kind: 'reasoning', block, summary: { index: Math.max(0, summaries - 1), text: summary } });
    return proof === '' ? pieces : [...pieces, ...this.#bind(open)];
  }

  /** Ends the open part, when something else than reasoning follows. A part that waits for its proof may still get it. */
  close(): readonly ReasoningPiece[] {
    const open = this.#open;
    if (open === undefined || open.isBound || awaitsProof(open)) return [];
    return this.#bind(open);
  }

  /** Whether a detail without words repeats the proof of the part before it, or has a further one for the same text. */
  #repeats(rest: JsonObject, proof: string): boolean {
    const last = this.#open?.rests.at(-1);
    if (last === undefined || this.#open?.isBound !== true || !isSameDetail(last, rest)) return false;
    return findProof(last) === proof || isText(rest);
  }

  #continues(rest: JsonObject): boolean {
    const open = this.#open;
    if (open === undefined || open.isBound || open.format !== readFormat(rest)) return false;
    const last = open.rests.at(-1) ?? {};
    if (isText(rest)) return isSameDetail(last, rest);
    return isSummary(last) || (!isSummary(rest) && isText(last) && !isClaude(open));
  }

  /** Adds a detail to the open part, or to a new one. */
  #grow(rest: JsonObject): OpenPart {
    const open = this.#continues(rest) ? this.#open : undefined;
    const last = open?.rests.at(-1);
    if (open === undefined) return this.#begin(rest);
    if (last === undefined || !isSameDetail(last, rest)) {
      open.rests.push(rest);
      if (isSummary(rest)) open.summaries += 1;
    } else open.rests[open.rests.length - 1] = { ...last, ...withoutNulls(rest) };
    return open;
  }

  #begin(rest: JsonObject): OpenPart {
    const open = {
      block: this.#next,
      format: readFormat(rest),
      rests: [rest],
      summaries: isSummary(rest) ? 1 : 0,
      isBound: false,
    };
    this.#open = open;
    this.#next += 1;
    return open;
  }

  #bind(open: OpenPart): readonly ReasoningPiece[] {
    open.isBound = true;
    if (!open.rests.every(isTyped)) return [];
    return [{ kind: 'reasoning', block: open.block, bound: bindDetails(open.rests, this.#scope) }];
  }
}
