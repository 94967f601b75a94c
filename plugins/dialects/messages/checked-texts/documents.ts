import { findText } from '../../../../schema/json/loose.ts';
import { toFileText } from '../../shared/checked-texts/file-text.ts';
import { list, type Member, object, structural, text, textOr, variants } from '../../shared/checked-texts/members.ts';
import { elsewhere, part } from './parts.ts';
import { cached } from './settings.ts';

const plain = object({ type: structural, media_type: structural, data: text() });

/** Text, parts, or a file, which may contain text: https://docs.anthropic.com/en/docs/build-with-claude/pdf-support */
const source = variants(
  'type',
  {
    text: plain,
    base64: object({
      type: structural,
      media_type: structural,
      data: toFileText(([file]) => findText(file?.media_type)),
    }),
    content: object({ type: structural, content: textOr(list(part)) }),
    ...elsewhere,
  },
  plain,
);

const citations = object({ enabled: structural });

export const document: Member = object({
  title: text(),
  context: text(),
  source,
  citations,
  type: structural,
  ...cached,
});

/** https://docs.anthropic.com/en/docs/build-with-claude/search-results */
export const searchResult: Member = object({
  title: text(),
  content: textOr(list(part)),
  source: text(),
  citations,
  type: structural,
  ...cached,
});
