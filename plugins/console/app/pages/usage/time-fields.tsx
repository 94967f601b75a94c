import { useSignal } from '@preact/signals';
import { TextField } from '../../components/text-field.tsx';
import { setQuery } from '../../router/router.ts';
import { texts } from '../../texts/usage.ts';
import { brushed, type Range, type RangeProblem, rangeProblem } from './range.ts';

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Converts seconds into the value of a local date and time field. */
const toLocal = (seconds: number): string => {
  const date = new Date(seconds * 1000);
  const day = [date.getFullYear(), twoDigits(date.getMonth() + 1), twoDigits(date.getDate())].join('-');
  return `${day}T${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
};

const toSeconds = (text: string): number => Math.floor(new Date(text).getTime() / 1000);

interface EndFieldProps {
  readonly label: string;
  readonly seconds: number;
  /** Applies another start or end, or returns why it cannot. */
  readonly onChange: (seconds: number) => RangeProblem | undefined;
}

/** A field for the start or the end. Its value applies on blur or Enter, because every keystroke would set another time. */
const EndField = ({ label, seconds, onChange }: EndFieldProps) => {
  const written = useSignal<string | undefined>(undefined);
  const problem = useSignal<RangeProblem | undefined>(undefined);
  const take = (): void => {
    if (written.value === undefined) return;
    const end = toSeconds(written.value);
    problem.value = Number.isNaN(end) ? undefined : onChange(end);
    if (problem.value === undefined) written.value = undefined;
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: these events come from the field.
    <div
      onFocusOut={take}
      onKeyDown={({ key }) => {
        if (key === 'Enter') take();
      }}
    >
      <TextField
        label={label}
        type="datetime-local"
        error={problem.value === undefined ? undefined : texts.rangeProblems[problem.value]}
        value={written.value ?? toLocal(seconds)}
        onInput={(text) => {
          written.value = text;
        }}
      />
    </div>
  );
};

/** Fields for the start and the end, as an alternative to dragging over a chart. */
export const TimeFields = ({ range }: { readonly range: Range }) => {
  const change = (from: number, to: number): RangeProblem | undefined => {
    const problem = rangeProblem(from, to);
    if (problem === undefined) setQuery({ range: undefined, ...brushed(from, to) }, { push: true });
    return problem;
  };
  return (
    <>
      <EndField label={texts.from} seconds={range.from} onChange={(from) => change(from, range.to)} />
      <EndField label={texts.to} seconds={range.to} onChange={(to) => change(range.from, to)} />
    </>
  );
};
