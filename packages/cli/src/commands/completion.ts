import { Argument, type Command } from "commander";
import { action, type Context } from "../context.ts";
import { addExamples } from "../options.ts";
import { print } from "../output/terminal.ts";

/** The command that the shells call with the words of the command line; src/run.ts answers it. */
export const COMPLETE = "__complete";

const SCRIPTS = {
  bash: `_tern() {
  local IFS=$'\\n'
  COMPREPLY=($(tern ${COMPLETE} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _tern tern`,
  zsh: `#compdef tern
_tern() {
  local -a candidates
  candidates=("\${(@f)$(tern ${COMPLETE} "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$candidates" ]]; then _describe tern "\${(@)candidates//$'\\t'/:}" 2>/dev/null || _files
  else _files; fi
}
compdef _tern tern`,
  fish: `complete -c tern -e
complete -c tern -a '(tern ${COMPLETE} (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'`,
};

export function addCompletion(program: Command): void {
  const command = program
    .command("completion")
    .description("print a script that completes tern's commands and options in your shell")
    .addArgument(new Argument("<shell>").choices(Object.keys(SCRIPTS)))
    .action(
      action((context: Context, shell: keyof typeof SCRIPTS) => {
        context.show({ shell, script: SCRIPTS[shell] }, () => print(SCRIPTS[shell]));
      }),
    );
  addExamples(command, [
    "tern completion bash >> ~/.bashrc",
    "tern completion zsh >> ~/.zshrc",
    "tern completion fish > ~/.config/fish/completions/tern.fish",
  ]);
}

/** Returns what can stand in place of the last word: lines of a name, a tab and its meaning. */
export function completeWords(program: Command, words: string[]): string[] {
  const current = words.at(-1) ?? "";
  let command = program;
  let option: ReturnType<typeof findOption>;
  for (const word of words.slice(0, -1)) {
    const isValue = option !== undefined;
    option = isValue ? undefined : findOption(program, command, word);
    if (!isValue && !word.startsWith("-")) command = command.commands.find((each) => each.name() === word) ?? command;
  }
  return candidates(program, command, current, option).filter((line) => line.startsWith(current));
}

/** The option that a word is, if its value is the next word. */
function findOption(program: Command, command: Command, word: string) {
  return [...command.options, ...program.options].find(
    (option) => (option.required || option.optional) && [option.long, option.short].includes(word),
  );
}

function candidates(
  program: Command,
  command: Command,
  current: string,
  option: ReturnType<typeof findOption>,
): string[] {
  if (option !== undefined) return option.argChoices ?? [];
  if (current.startsWith("-")) {
    const options = new Set([...command.options, ...program.options]);
    return [...options].map(({ long, description }) => `${long}\t${description}`);
  }
  const names = command.commands.map((each) => `${each.name()}\t${each.description()}`);
  return [...names, ...command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices)];
}
