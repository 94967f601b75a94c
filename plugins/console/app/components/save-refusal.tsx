import type { ApiError } from '../api/error.ts';
import { RecordConflict, type SavedRecord } from '../api/saved-record.ts';
import { texts } from '../texts/shell.ts';
import { Button } from './button.tsx';
import { CodeBlock } from './code-block.tsx';
import { ErrorText, type ErrorTextProps } from './states.tsx';

export interface SaveRefusalProps extends Pick<ErrorTextProps, 'isAtField'> {
  readonly refusal: ApiError | undefined;
  /** Saves over the record that the user has seen. */
  readonly onOverwrite?: (seen: SavedRecord<object>) => void;
}

/**
 * Why a form was not saved. If somebody else has changed the same members, shows their stored values and a button that overwrites
 * them.
 */
export const SaveRefusal = ({ refusal, onOverwrite, ...shown }: SaveRefusalProps) => (
  <div aria-live="assertive">
    {refusal !== undefined && <ErrorText error={refusal} {...shown} />}
    {refusal instanceof RecordConflict && onOverwrite !== undefined && (
      <div class="stack">
        <CodeBlock text={JSON.stringify(refusal.members, null, 2)} />
        <div>
          <Button size="small" kind="danger" onClick={() => onOverwrite(refusal.stored)}>
            {texts.conflict.overwrite}
          </Button>
        </div>
      </div>
    )}
  </div>
);
