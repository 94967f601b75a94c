import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { SafeText } from '../../components/safe-text.tsx';
import { showToast } from '../../components/toast.tsx';
import { texts } from '../../texts/playground.ts';
import { maxImages, type Turn } from './prompt.ts';
import { readImage } from './read-image.ts';

export interface TurnsProps {
  readonly turns: readonly Turn[];
  /** Applies a change to the turns at that time, because reading an image takes a while. */
  readonly onChange: (change: (turns: readonly Turn[]) => readonly Turn[]) => void;
}

const emptyTurn = (role: Turn['role']): Turn => ({ role, text: '', images: [] });

/** The turns of a conversation, each with its role, text and images. */
export const Turns = ({ turns, onChange }: TurnsProps) => {
  const change = (at: number, members: (turn: Turn) => Partial<Turn>): void =>
    onChange((now) => now.map((turn, index) => (index === at ? { ...turn, ...members(turn) } : turn)));
  const count = turns.reduce((sum, { images }) => sum + images.length, 0);
  const add = async (at: number, files: FileList | null): Promise<void> => {
    const chosen = [...(files ?? [])];
    if (count + chosen.length > maxImages) {
      showToast(texts.tooManyImages(maxImages), 'error');
      return;
    }
    try {
      const images = await Promise.all(chosen.map(readImage));
      change(at, (turn) => ({ images: [...turn.images, ...images] }));
    } catch (error) {
      showToast(error instanceof Error ? error.message : String(error), 'error');
    }
  };
  return (
    <div class="stack">
      {turns.map((turn, at) => {
        const name = texts.turnOf(texts.roles[turn.role], at + 1);
        return (
          <div key={`${at}`} class="playground-turn">
            <Field label={name}>
              {(control) => (
                <textarea
                  {...control}
                  class="input"
                  rows={turn.role === 'user' ? 4 : 2}
                  value={turn.text}
                  onInput={({ currentTarget: { value: text } }) => change(at, () => ({ text }))}
                />
              )}
            </Field>
            <div class="row">
              <label class="playground-file button small">
                {texts.addImage}
                <input
                  type="file"
                  class="visually-hidden"
                  aria-label={texts.imageOf(name)}
                  accept="image/png,image/jpeg,image/gif,image/webp"
                  multiple
                  onChange={({ currentTarget }) => {
                    void add(at, currentTarget.files);
                    currentTarget.value = '';
                  }}
                />
              </label>
              {turns.length > 1 && (
                <Button
                  size="small"
                  kind="ghost"
                  label={texts.removeTurn(name)}
                  onClick={() => onChange((now) => now.filter((_, index) => index !== at))}
                >
                  ×
                </Button>
              )}
            </div>
            {turn.images.length > 0 && (
              <ul class="playground-images">
                {turn.images.map((image, index) => (
                  <li key={`${index}`}>
                    <img src={`data:${image.mediaType};base64,${image.data}`} alt={image.name} />
                    <SafeText text={image.name} />
                    <Button
                      size="small"
                      kind="ghost"
                      label={texts.removeImage(image.name)}
                      onClick={() => change(at, ({ images }) => ({ images: images.filter((each) => each !== image) }))}
                    >
                      ×
                    </Button>
                  </li>
                ))}
              </ul>
            )}
          </div>
        );
      })}
      <div>
        <Button
          size="small"
          onClick={() => onChange((now) => [...now, emptyTurn(now.at(-1)?.role === 'user' ? 'assistant' : 'user')])}
        >
          {texts.addTurn}
        </Button>
      </div>
    </div>
  );
};
