import type { JsonObject } from '../../../schema/json/json.ts';
import type { CheckPhase } from '../../../schema/trail/trail.ts';
import type { Dialect } from '../../sdk/dialect/dialect.ts';
import type { TextReading, TextSpan } from '../../sdk/dialect/text-span.ts';
import { decodeStreamError, encodeStreamError, encodeWireError } from '../chat/errors/errors.ts';
import { findModel } from '../wire/answer/find-model.ts';
import { bodyTexts } from '../wire/checked-texts/request-texts.ts';
import { readHttpError } from '../wire/errors/http-error.ts';
import { declaration } from './declaration.ts';
import { members } from './members.ts';
import { findUsage, metered } from './usage.ts';

const texts = (body: JsonObject, phase: CheckPhase, how?: TextReading): readonly TextSpan[] | undefined =>
  bodyTexts(phase === 'input' ? members.request : members.answer, body, how);

/** Mistral's OCR: https://docs.mistral.ai/api/endpoint/ocr. It never streams, so every frame is content. */
export const ocr: Dialect = {
  ...declaration,
  classify: () => 'content',
  encodeStreamError,
  decodeError: readHttpError,
  encodeWireError,
  decodeStreamError,
  texts,
  members,
  usage: findUsage,
  answeredBy: findModel,
  metered: { model: true, ...metered },
};
