import type { VNode } from 'preact';
import { Button } from '../../components/button.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { texts } from '../../texts/config.ts';
import { type LoadedConfig, toText } from './api.ts';

export interface EditConflictProps {
  readonly theirs: LoadedConfig;
  readonly mine: string;
  onTakeTheirs(): void;
  onKeepMine(): void;
}

/** Shows both texts if somebody else has saved a version meanwhile. Neither is lost until the user chooses one. */
export const EditConflict = ({ theirs, mine, onTakeTheirs, onKeepMine }: EditConflictProps): VNode => (
  <Dialog
    title={texts.race.title(theirs.config.version)}
    size="wide"
    onClose={onKeepMine}
    actions={
      <>
        <Button onClick={onTakeTheirs}>{texts.race.takeTheirs}</Button>
        <Button kind="primary" onClick={onKeepMine}>
          {texts.race.keepMine}
        </Button>
      </>
    }
  >
    <p>{texts.race.lead}</p>
    <div class="side-by-side">
      <div>
        <h3>{texts.race.theirs(theirs.config.version)}</h3>
        <CodeBlock text={toText(theirs.config.config)} />
      </div>
      <div>
        <h3>{texts.race.mine}</h3>
        <CodeBlock text={mine} />
      </div>
    </div>
  </Dialog>
);
