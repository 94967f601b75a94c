import type { CompletionRow, OfferedFlag } from './completion-rows.ts';
import { quoted, rowFunction } from './row-function.ts';

/** Escapes characters that have a meaning in the description of an argument. */
const escaped = (text: string): string => text.replaceAll(/[\\:[\]]/g, String.raw`\$&`);

const toArgument = ({ flag, value, describe }: OfferedFlag): string => {
  const name = `${flag}${value === 'none' ? '' : '='}[${escaped(describe)}]`;
  if (value === 'none') return quoted(name);
  const action = value === 'file' ? '_files' : value === 'text' ? ' ' : `(${value.join(' ')})`;
  return quoted(`*${name}:value:${action}`);
};

const toCase = ({ at, words, flags, takesFiles }: CompletionRow): string =>
  [
    `    ${quoted(at)})`,
    `      subs=(${words.map(({ word, describe }) => quoted(`${escaped(word)}:${describe}`)).join(' ')})`,
    `      flags=(${flags.map(toArgument).join(' ')})`,
    `      files=${takesFiles ? 1 : ''} ;;`,
  ].join('\n');

/** Returns the script for zsh. */
export const zshScript = (rows: readonly CompletionRow[]): string => `#compdef gw gatewright
# Completion of gw for zsh. Load it after compinit with: source <(gw completion zsh)

${rowFunction(rows.map(toCase))}

_gw_words() { _describe -t commands command subs }

_gw() {
  local -a subs flags rest
  local files at=gw word value= i first=1
  _gw_row gw
  for ((i = 2; i < CURRENT; i++)); do
    word=$words[i]
    if [[ -n $value ]]; then
      value=
    elif [[ $word == --*=* ]]; then
      continue
    elif [[ $word == -* ]]; then
      [[ -n \${(M)flags:#\\*\${word}=*} ]] && value=1
    elif _gw_row "$at $word"; then
      at="$at $word"
      first=$i
    fi
  done
  words=("$at" "\${(@)words[first+1,-1]}")
  ((CURRENT = CURRENT - first + 1))
  (($#subs)) && rest+=('1: :_gw_words')
  [[ -n $files ]] && rest+=('*:file:_files')
  _arguments "$flags[@]" "$rest[@]"
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _gw "$@"; else compdef _gw gw gatewright; fi
`;
